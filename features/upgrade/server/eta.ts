import type { EndedUpgradeOrder } from './data.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SHANGHAI = 8 * HOUR

export interface OpeningHours {
  readonly from: number
  readonly to: number
}

/** Opening hours for display: `10:00` and `20:00`. */
export const formatDeskHours = ({ from, to }: OpeningHours): { readonly opens: string; readonly closes: string } => ({
  opens: `${from}:00`,
  closes: `${to}:00`,
})

/** Milliseconds between two instants within the desk's hours. */
export function computeOpenMs(from: Date, to: Date, hours: OpeningHours): number {
  let sum = 0
  const [start, end] = [from.getTime() + SHANGHAI, to.getTime() + SHANGHAI]
  for (let midnight = start - (start % DAY); midnight < end; midnight += DAY)
    sum += Math.max(0, Math.min(end, midnight + hours.to * HOUR) - Math.max(start, midnight + hours.from * HOUR))
  return sum
}

/** The instant `ms` of opening time after `from`. */
export function addOpenMs(from: Date, ms: number, hours: OpeningHours): Date {
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

/** Minimum number of orders for an estimate. */
const MIN_SAMPLES = 5

/**
 * Median time per order, in ms of opening time, over the last orders: from the earliest start (its own queueing, or the end before) to its
 * end. Several operators shorten it automatically. Undefined with too few orders.
 */
export function computeQueuePace(lastFirst: readonly EndedUpgradeOrder[], hours: OpeningHours): number | undefined {
  if (lastFirst.length < MIN_SAMPLES) return undefined
  const takes = lastFirst.map(({ queuedAt: started, endedAt: finished }, at) => {
    const before = lastFirst[at + 1]?.endedAt
    return computeOpenMs(before && before > started ? before : started, finished, hours)
  })
  return median(takes)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface QueueEstimate {
  readonly minutes: number
  readonly ready: Date
}

/** Expected completion with `ahead` orders in front, at this pace and within the desk's hours. */
export function estimateCompletion(now: Date, ahead: number, { pace, hours }: { readonly pace: number; readonly hours: OpeningHours }): QueueEstimate {
  const ms = Math.max(MINUTE, (ahead + 1) * pace)
  const ready = addOpenMs(now, ms, hours)
  return { minutes: Math.ceil((ready.getTime() - now.getTime()) / MINUTE), ready }
}
