import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { computePartShare } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectQuotaUsed, selectTasks } from '#features/services/server/door.ts'
import type { TaskTransition, TaskRecheck, ServiceSpec, Task } from '#features/services/server/door.ts'
import { numberPackTexts } from '../pack-texts.ts'
import { packDays } from '../settings.ts'
import { NUMBERS_SERVICE, PACKS_SERVICE, buildPackPeriod } from '../spec.ts'
import { listNumberSuppliers } from '../vendors/index.ts'

const DAY_MS = 86_400_000
/** `ORDER_TYPE.SMS` of payments. */
const SMS_ORDER = 4

export interface PackBalance {
  readonly total: number
  readonly left: number
  /** True while a number that took one of its uses is open, so the use may come back. */
  readonly busy: boolean
  /** Amount paid for the unused uses. */
  readonly worth: Nano
}

export async function computePackBalance(sql: Sql, pack: Task): Promise<PackBalance> {
  const total = Number(pack.facts['count'])
  const left = Math.max(0, total - (await selectQuotaUsed(sql, pack.userId, { service: NUMBERS_SERVICE, period: buildPackPeriod(pack.id) })))
  const live = await selectTasks(sql, { userId: pack.userId, service: NUMBERS_SERVICE, phases: ['waiting'], limit: 20 })
  return {
    total,
    left,
    busy: live.some(({ freePeriod }) => freePeriod === buildPackPeriod(pack.id)),
    worth: computePartShare(pack.charged, BigInt(left), BigInt(total)),
  }
}

async function grantPack(deps: Deps, task: Task): Promise<TaskTransition> {
  const days = await deps.settings.get(packDays)
  const until = new Date(task.now.getTime() + days * DAY_MS)
  return { to: 'ready', facts: { until: until.toISOString() }, expiresAt: new Date(until.getTime() + DAY_MS) }
}

/** Refunds the unused rest of a pack after a year, once no number with one of its uses is open. */
async function endOfYear(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const seconds = (new Date(String(task.facts['until'])).getTime() - task.now.getTime()) / 1000
  if (seconds > 0) return { seconds: Math.min(seconds, 3600) }
  const { left, busy, worth } = await computePackBalance(deps.db, task)
  if (busy) return { seconds: 60 }
  return left > 0 ? { to: 'returned', cause: 'unused', back: worth } : { to: 'used' }
}

/** Packs of additional uses. Charged when granted; unused uses are refunded. */
export const packsSpec: ServiceSpec = {
  name: PACKS_SERVICE,
  orderType: SMS_ORDER,
  prices: { pack: '1.47' },
  isOffered: async (deps) => listNumberSuppliers(deps).length > 0,
  first: 'granting',
  states: {
    granting: { phase: 'waiting', to: ['ready'], work: grantPack },
    ready: { phase: 'using', to: ['used', 'returned'], work: endOfYear, expires: { to: 'returned', cause: 'unused' } },
    used: { phase: 'done', to: [] },
    returned: { phase: 'failed', to: [] },
  },
  causes: { unused: { money: 'part' } },
  texts: numberPackTexts,
  path: '/sms',
}
