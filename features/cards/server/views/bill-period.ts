import { PERIOD_TYPES } from '../../words.ts'
import type { PeriodType } from '../../words.ts'

const DAY_MS = 86_400_000

/** First and last day of a period that ends today; weeks begin on Monday. */
export function computeBillPeriod(periodType: PeriodType, today: string): { from: string; to: string } {
  if (periodType === PERIOD_TYPES.DAY) return { from: today, to: today }
  if (periodType === PERIOD_TYPES.MONTH) return { from: `${today.slice(0, 7)}-01`, to: today }
  const noon = new Date(`${today}T12:00:00Z`)
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  return { from: new Date(noon.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10), to: today }
}
