import type { Ended } from './data.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SHANGHAI = 8 * HOUR

export interface Hours {
  readonly from: number
  readonly to: number
}

/** `10:00` and `20:00`, as people read them. */
export const hoursText = ({ from, to }: Hours): { readonly opens: string; readonly closes: string } => ({ opens: `${from}:00`, closes: `${to}:00` })

/** Milliseconds between two instants in which people were at the desk. */
export function openBetween(from: Date, to: Date, hours: Hours): number {
  let sum = 0
  const [start, end] = [from.getTime() + SHANGHAI, to.getTime() + SHANGHAI]
  for (let midnight = start - (start % DAY); midnight < end; midnight += DAY)
    sum += Math.max(0, Math.min(end, midnight + hours.to * HOUR) - Math.max(start, midnight + hours.from * HOUR))
  return sum
}

/** The instant after so many open milliseconds from `from`. */
export function afterOpen(from: Date, ms: number, hours: Hours): Date {
  let left = ms
  let at = from.getTime() + SHANGHAI
  for (let days = 0; days < 400; days++) {
    const midnight = at - (at % DAY)
    const [opens, closes] = [midnight + hours.from * HOUR, midnight + hours.to * HOUR]
    const begins = Math.max(at, opens)
    if (begins < closes && left <= closes - begins) return new Date(begins + left - SHANGHAI)
    left -= Math.max(0, closes - begins)
    at = midnight + DAY
  }
  return new Date(at - SHANGHAI)
}

/** Fewer than this say nothing. */
const ENOUGH = 5

/**
 * Open milliseconds that the desk takes for one: from when it could begin (its own order, or the end before) to its end, of half of the
 * last ones. Several people make it shorter by themselves. Undefined: too few to say.
 */
export function paceOf(lastFirst: readonly Ended[], hours: Hours): number | undefined {
  if (lastFirst.length < ENOUGH) return undefined
  const takes = lastFirst.map(({ queued_at: started, ended_at: finished }, at) => {
    const before = lastFirst[at + 1]?.ended_at
    return openBetween(before && before > started ? before : started, finished, hours)
  })
  return median(takes)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Expected {
  readonly minutes: number
  readonly ready: Date
}

/** When somebody with so many ahead is done, at this pace and within the desk's hours. */
export function expected(now: Date, ahead: number, pace: number, hours: Hours): Expected {
  const ms = Math.max(MINUTE, (ahead + 1) * pace)
  const ready = afterOpen(now, ms, hours)
  return { minutes: Math.ceil((ready.getTime() - now.getTime()) / MINUTE), ready }
}
