import { toShanghaiDay } from '#platform/shared/time.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'

export const RANGE_NAMES = ['today', 'week', 'days30', 'month', 'lastMonth', 'own'] as const
export type RangeName = (typeof RANGE_NAMES)[number]
/** A range of Shanghai days, both included. */
export interface ShanghaiDayRange {
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
export const getDayBefore = (day: string, days = 1) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

export function resolveNamedRange(name: RangeName, today: string, own: ShanghaiDayRange): ShanghaiDayRange {
  const month = `${today.slice(0, 7)}-01`
  if (name === 'today') return { from: today, to: today }
  if (name === 'week') return { from: getDayBefore(today, 6), to: today }
  if (name === 'month') return { from: month, to: today }
  if (name === 'lastMonth') return { from: `${getDayBefore(month).slice(0, 7)}-01`, to: getDayBefore(month) }
  if (name === 'own' && DAY.test(own.from) && DAY.test(own.to) && own.from <= own.to) return own
  return { from: getDayBefore(today, 29), to: today }
}

/** The range of the page, in the URL. Typed days that form no valid range are kept, and the last thirty days are shown. */
export function useRange() {
  const [asked, setName] = useQueryParam<string>('range', 'days30')
  const [from, setFrom] = useQueryParam<string>('from', '')
  const [to, setTo] = useQueryParam<string>('to', '')
  const name = RANGE_NAMES.find((one) => one === asked) ?? 'days30'
  const today = toShanghaiDay(Date.now())
  const isBackwards = name === 'own' && from !== '' && to !== '' && from > to
  return { name, setName, from, setFrom, to, setTo, today, isBackwards, range: resolveNamedRange(name, today, { from, to }) }
}
