import type { Deps } from '#platform/server/feature.ts'
import { measuredOf } from './data-measured.ts'
import { measuredDays } from './settings.ts'

export interface Measured {
  /** Ended or delivered in that time; free and paid. */
  readonly count: number
  /** Minutes from the order to the delivery that half of them took at most, and nine tenths; null where too few were delivered to say. */
  readonly half: number | null
  readonly most: number | null
  /** Percent that were delivered; null where there are too few to say. */
  readonly delivered: number | null
  readonly days: number
}

/** Fewer than this say nothing. */
const ENOUGH = 5

/** What really happened lately: never an invented average. */
export async function measured(deps: Pick<Deps, 'db' | 'settings'>, service: string): Promise<Measured> {
  const days = await deps.settings.get(measuredDays)
  const { count, delivered, half, most } = await measuredOf(deps.db, service, days)
  const minutes = (seconds: number | null) => (delivered >= ENOUGH && seconds !== null ? Math.max(1, Math.round(seconds / 60)) : null)
  return { count, half: minutes(half), most: minutes(most), delivered: count >= ENOUGH ? Math.round((100 * delivered) / count) : null, days }
}

const KEEP_MS = 300_000
const kept = new WeakMap<object, Map<string, { readonly at: number; readonly figures: Promise<Measured> }>>()

/** The same for pages, worked out once in five minutes however many look. */
export function measuredLately(deps: Pick<Deps, 'db' | 'settings' | 'clock'>, service: string): Promise<Measured> {
  const mine = kept.get(deps.db) ?? new Map<string, { at: number; figures: Promise<Measured> }>()
  kept.set(deps.db, mine)
  const now = deps.clock.now().getTime()
  const known = mine.get(service)
  if (known && now - known.at < KEEP_MS) return known.figures
  const figures = measured(deps, service)
  mine.set(service, { at: now, figures })
  figures.catch(() => mine.delete(service))
  return figures
}
