/** Months are Shanghai's, written 2026-11. */

export const toMonth = (day: string): string => day.slice(0, 7)

/** The first instant of a month, and of the month after it; days for what is kept by day. */
export function computeMonthBounds(month: string): { readonly from: Date; readonly before: Date; readonly firstDay: string; readonly dayAfter: string } {
  const firstDay = `${month}-01`
  const dayAfter = `${nextMonth(month)}-01`
  return { from: midnight(firstDay), before: midnight(dayAfter), firstDay, dayAfter }
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

const midnight = (day: string) => new Date(`${day}T00:00:00+08:00`)
