import { getNextDay, toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'

/** Text key and value for a desk's next opening: today and tomorrow by name, later days by date. */
export function describeOpening(at: string | number, now: number): readonly ['opens_today' | 'opens_tomorrow' | 'opens', { readonly time: string }] {
  const [day, today] = [toShanghaiDay(new Date(at)), toShanghaiDay(now)]
  const time = toShanghaiTime(new Date(at))
  if (day === today) return ['opens_today', { time: time.slice(11, 16) }]
  if (day === getNextDay(today)) return ['opens_tomorrow', { time: time.slice(11, 16) }]
  return ['opens', { time: time.slice(5, 16) }]
}
