import { BEIJING_MS } from '../kit/beijing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OPENING_HOUR = 10

/** Common snooze times in Beijing time: in some hours, tomorrow, and on Monday when the desk opens. */
export function listSnoozeTimes(now: number): { readonly key: 'hour' | 'hours' | 'tomorrow' | 'monday'; readonly at: number }[] {
  const midnight = Math.floor((now + BEIJING_MS) / DAY) * DAY - BEIJING_MS
  const weekday = (Math.floor((now + BEIJING_MS) / DAY) + 4) % 7
  const opens = (days: number) => midnight + days * DAY + OPENING_HOUR * HOUR
  return [
    { key: 'hour', at: now + HOUR },
    { key: 'hours', at: now + 4 * HOUR },
    { key: 'tomorrow', at: opens(1) },
    // On a Sunday, Monday is tomorrow, so the Monday after it is meant
    { key: 'monday', at: opens(weekday === 0 ? 8 : 8 - weekday) },
  ]
}
