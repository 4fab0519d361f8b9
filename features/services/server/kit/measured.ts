import type { Deps } from '#platform/server/feature.ts'
import { measuredOf } from './data-measured.ts'
import { measuredDays } from './settings.ts'

export interface Measured {
  /** Tasks that ended or were delivered in the period, free and paid. */
  readonly count: number
  /** Minutes from order to delivery: median and 90th percentile; null if the sample is too small. */
  readonly half: number | null
  readonly most: number | null
  /** Delivered tasks in percent; null if the sample is too small. */
  readonly delivered: number | null
  readonly days: number
}

/** Minimum sample size. */
const ENOUGH = 5

/** Measures recent tasks of a service; the figures are never estimates. */
export async function measured(deps: Pick<Deps, 'db' | 'settings'>, service: string): Promise<Measured> {
  const days = await deps.settings.get(measuredDays)
  const { count, delivered, half, most } = await measuredOf(deps.db, service, days)
  const minutes = (seconds: number | null) => (delivered >= ENOUGH && seconds !== null ? Math.max(1, Math.round(seconds / 60)) : null)
  return { count, half: minutes(half), most: minutes(most), delivered: count >= ENOUGH ? Math.round((100 * delivered) / count) : null, days }
}

const KEEP_MS = 300_000
const kept = new WeakMap<object, Map<string, { readonly at: number; readonly figures: Promise<Measured> }>>()

/** Cached version for pages: computed at most once in five minutes. */
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
