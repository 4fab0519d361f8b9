import { getNextDay, toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'

/** The word and its figure for when a desk opens: today and tomorrow by name, later days by date. */
export function describeOpening(at: string | number, now: number): readonly ['opens_today' | 'opens_tomorrow' | 'opens', { readonly time: string }] {
  const [day, today] = [toShanghaiDay(new Date(at)), toShanghaiDay(now)]
  const time = toShanghaiTime(new Date(at))
  if (day === today) return ['opens_today', { time: time.slice(11, 16) }]
  if (day === getNextDay(today)) return ['opens_tomorrow', { time: time.slice(11, 16) }]
  return ['opens', { time: time.slice(5, 16) }]
}
