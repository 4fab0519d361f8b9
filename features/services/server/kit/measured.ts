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
