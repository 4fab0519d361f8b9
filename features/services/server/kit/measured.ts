import type { Deps } from '#platform/server/feature.ts'
import { selectMeasurement } from './data-measured.ts'
import { measuredDays } from './settings.ts'

export interface ServiceMeasurement {
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
const MIN_SAMPLES = 5

/** Measures recent tasks of a service; the figures are never estimates. */
export async function measureService(deps: Pick<Deps, 'db' | 'settings'>, service: string): Promise<ServiceMeasurement> {
  const days = await deps.settings.get(measuredDays)
  const { count, delivered, half, most } = await selectMeasurement(deps.db, service, days)
  const minutes = (seconds: number | null) => (delivered >= MIN_SAMPLES && seconds !== null ? Math.max(1, Math.round(seconds / 60)) : null)
  return { count, half: minutes(half), most: minutes(most), delivered: count >= MIN_SAMPLES ? Math.round((100 * delivered) / count) : null, days }
}

const KEEP_MS = 300_000
const cache = new WeakMap<object, Map<string, { readonly at: number; readonly figures: Promise<ServiceMeasurement> }>>()

/** Cached version for pages: computed at most once in five minutes. */
export function measureServiceCached(deps: Pick<Deps, 'db' | 'settings' | 'clock'>, service: string): Promise<ServiceMeasurement> {
  const mine = cache.get(deps.db) ?? new Map<string, { at: number; figures: Promise<ServiceMeasurement> }>()
  cache.set(deps.db, mine)
  const now = deps.clock.now().getTime()
  const known = mine.get(service)
  if (known && now - known.at < KEEP_MS) return known.figures
  const figures = measureService(deps, service)
  mine.set(service, { at: now, figures })
  figures.catch(() => mine.delete(service))
  return figures
}
