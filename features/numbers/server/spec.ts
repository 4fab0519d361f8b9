import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { countIncludedNumberUses } from './uses/included.ts'
import { selectQuotaUsed, selectTasks } from '#features/services/server/door.ts'
import type { ServiceQuota, ServiceSpec, Task } from '#features/services/server/door.ts'
import { findRental } from './data.ts'
import { findNumber } from './rent/find-number.ts'
import { releaseNumbers } from './rent/give-back.ts'
import { numberMinutes } from './settings.ts'
import { numberServiceTexts } from './service-texts.ts'
import { checkRental } from './watch/watch-numbers.ts'
import { listNumberSuppliers } from './vendors/index.ts'

export const NUMBERS_SERVICE = 'numbers'
export const PACKS_SERVICE = 'numberpack'
/** Exceeds the total time of all suppliers. */
const FIND_MINUTES = 2

/** Time before the end at which a number is checked a last time; until then another job polls it. */
async function checkAtExpiry(deps: Deps, task: Task) {
  const rental = await findRental(deps.db, task.supplier, task.supplierRef ?? '')
  if (rental?.state === 'open' && task.deadlineAt && task.deadlineAt.getTime() - task.now.getTime() < 2_000) await checkRental(deps, rental)
  return { seconds: 60 }
}

/** Uses included with the card first, then the oldest pack with uses left. */
async function quotaOf(deps: Deps, sql: Sql, userId: string): Promise<ServiceQuota> {
  const included: ServiceQuota = { allowed: await countIncludedNumberUses(deps, sql, userId), period: '' }
  if ((await selectQuotaUsed(sql, userId, { service: NUMBERS_SERVICE, period: '' })) < included.allowed) return included
  const packs = await selectTasks(sql, { userId, service: PACKS_SERVICE, phases: ['using'], limit: 100 })
  for (const { id, facts } of packs.toReversed()) {
    const quota: ServiceQuota = { allowed: Number(facts['count']), period: buildPackPeriod(id) }
    if ((await selectQuotaUsed(sql, userId, { service: NUMBERS_SERVICE, period: quota.period })) < quota.allowed) return quota
  }
  return included
}

export const buildPackPeriod = (packId: string): string => `pack:${packId}`

/** One number for one code. It takes a use, which is given back at every end without a message. */
export const numbersSpec: ServiceSpec = {
  name: NUMBERS_SERVICE,
  // Never charged, as a number costs a use. Hubs show this as the value of a use.
  prices: { number: '0.49' },
  isOffered: async (deps) => listNumberSuppliers(deps).length > 0,
  first: 'finding',
  states: {
    finding: {
      phase: 'waiting',
      to: ['waiting', 'nobody', 'cancelled'],
      work: findNumber,
      within: async () => FIND_MINUTES,
      late: { to: 'nobody', cause: 'supplier_down' },
    },
    waiting: {
      phase: 'waiting',
      to: ['received', 'expired', 'cancelled'],
      work: checkAtExpiry,
      within: (deps) => deps.settings.get(numberMinutes),
      late: { to: 'expired', cause: 'no_code' },
      tellAfter: 90,
    },
    received: { phase: 'using', to: ['finished'], expires: { to: 'finished', cause: 'served' } },
    finished: { phase: 'done', to: [] },
    nobody: { phase: 'failed', to: [] },
    expired: { phase: 'failed', to: [] },
    cancelled: { phase: 'failed', to: [] },
  },
  causes: {
    no_numbers: { money: 'back' },
    supplier_down: { money: 'back' },
    no_code: { money: 'back' },
    supplier_ended: { money: 'back' },
    given_back: { money: 'back' },
    served: { money: 'keep' },
  },
  quota: quotaOf,
  giveBack: releaseNumbers,
  texts: numberServiceTexts,
  path: '/sms',
  glance: ({ facts }) => String(facts['number'] ?? ''),
}
