import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { actionIsOn } from '#features/support/server/door.ts'
import { pausedServices, serviceHours } from './settings.ts'
import type { ServiceSpec } from './spec.ts'
import type { Task } from './data.ts'

/**
 * Throws SERVICE_PAUSED if the service accepts no new tasks: switched off in /features.yaml, paused at the desk, or unavailable
 * (`isOffered`).
 */
export async function requireServiceOpen(
  deps: Deps,
  spec: ServiceSpec,
  { task, sql = deps.db }: { readonly task: Pick<Task, 'userId' | 'product' | 'facts'>; readonly sql?: Sql },
): Promise<void> {
  await requireSwitchedOn(deps, spec, task)
  if (!(await isOfferedNow(deps, spec, sql))) fail('SERVICE_PAUSED', { reason: '' })
}

export const isOfferedNow = async (deps: Deps, spec: ServiceSpec, sql: Sql = deps.db): Promise<boolean> => (await spec.isOffered?.(deps, sql)) ?? true

/** Same check without `isOffered`. */
export async function requireSwitchedOn(deps: Deps, spec: ServiceSpec, task: Pick<Task, 'userId' | 'product' | 'facts'>): Promise<void> {
  const reason = (await deps.settings.get(pausedServices))[spec.name]
  if (reason !== undefined) fail('SERVICE_PAUSED', { reason })
  const flag = spec.flag?.(task)
  if (flag !== undefined && !(await actionIsOn(deps, flag, task.userId))) fail('SERVICE_PAUSED', { reason: '' })
}

export interface DeskHours {
  readonly isOpen: boolean
  /** Time of the next opening; the current time if it is open. */
  readonly opensAt: Date
}

/** Opening hours of the operators' desk, in Beijing time. */
export async function readDeskHours(deps: Pick<Deps, 'settings' | 'clock'>): Promise<DeskHours> {
  const { from, to } = await deps.settings.get(serviceHours)
  return computeDeskHours(deps.clock.now(), from, to)
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SHANGHAI = 8 * HOUR

export function computeDeskHours(now: Date, from: number, to: number): DeskHours {
  const local = now.getTime() + SHANGHAI
  const midnight = local - (local % DAY)
  const [opens, closes] = [midnight + from * HOUR, midnight + to * HOUR]
  if (local >= opens && local < closes) return { isOpen: true, opensAt: now }
  return { isOpen: false, opensAt: new Date((local < opens ? opens : opens + DAY) - SHANGHAI) }
}
