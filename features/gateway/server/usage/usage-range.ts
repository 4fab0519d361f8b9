import { fail } from '#platform/shared/errors.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'

const DAY_MS = 86_400_000
/** Ten years: longer than any history, short enough to be drawn by month. */
const MAX_DAYS = 3660

export interface RequestedDays {
  readonly from: string
  /** Included. */
  readonly to: string
  readonly before: string
  readonly count: number
}

export const getDayAfter = (day: string, days = 1) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
export const toShanghaiMidnight = (day: string) => new Date(`${day}T00:00:00+08:00`)

/** Requested days; defaults to this month up to today. */
export function resolveRequestedDays(asked: { from?: string | undefined; to?: string | undefined }, now: Date): RequestedDays {
  const today = toShanghaiDay(now)
  const to = asked.to ?? (asked.from && asked.from > today ? asked.from : today)
  const from = asked.from ?? `${to.slice(0, 7)}-01`
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count < 1 || count > MAX_DAYS) fail('BAD_INPUT', { fields: ['from', 'to'] })
  return { from, to, before: getDayAfter(to), count }
}
