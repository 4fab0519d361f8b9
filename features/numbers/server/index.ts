import { closeNotifyChannel } from '#platform/server/database/notify-channel.ts'
import { bind, defineFeature, type Deps } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { numbersContract } from '../contract.ts'
import { numberErrors } from '../errors.ts'
import { numberTexts } from '../texts.ts'
import { forgetUser, listRentalsByUser, notifyNumberWaiters } from './data.ts'
import { noticeRoutes } from './notices.ts'
import { numberSettings } from './settings.ts'
import { NUMBERS_SERVICE, numbersSpec } from './spec.ts'
import { overseaMobileStat } from './stat.ts'
import { listNumberSuppliers, buildNumberPanel, numbersPort, sandboxRoutes, suppliersEnv } from './vendors/index.ts'
import { packsSpec } from './uses/packs.ts'
import * as verbs from './verbs.ts'
import { numbersSealed } from './watch/messages.ts'
import type { JobSpec } from '#platform/server/jobs.ts'

/** Retention period of message texts. */
const FORGET_HOURS = 24

const numberJobs: readonly JobSpec[] = [
  { name: 'numbers.watch', everyMs: 250, handle: async (deps) => (await import('./watch/watch-numbers.ts')).watchNumbers(deps) },
  { name: 'numbers.strangers', everyMs: 60_000, handle: async (deps) => (await import('./rent/unmatched-numbers.ts')).releaseUnmatchedNumbers(deps) },
  { name: 'numbers.forget', cron: '17 * * * *', handle: async (deps) => (await import('./data.ts')).forgetMessages(deps.db, FORGET_HOURS) },
]

export const numbers = defineFeature({
  name: 'numbers',
  suppliers: [numbersPort],
  texts: numberTexts,
  errors: numberErrors,
  routes: [bind(numbersContract, { overseaMobileStat, ...verbs })],
  rawRoutes: [...noticeRoutes, ...sandboxRoutes],
  jobs: numberJobs,
  events: [
    // Requests also wait for ends by timeout
    {
      event: 'service.moved',
      name: 'numbers',
      handle: async (deps: Deps, { service, taskId }: { service: string; taskId: string }) => {
        if (service === NUMBERS_SERVICE) await notifyNumberWaiters(deps.db, taskId)
      },
    },
    { event: 'user.deleted', name: 'numbers', handle: (deps: Deps, { userId }: { userId: string }) => forgetUser(deps.db, userId) },
  ],
  settings: numberSettings,
  config: suppliersEnv,
  sealed: numbersSealed,
  balances: async (deps) =>
    listNumberSuppliers(deps).map(({ name, balance }) => ({ id: `numbers:${name}`, read: async () => [{ currency: 'USD', amount: await balance() }] })),
  sandboxPanels: [buildNumberPanel],
  personal: {
    exportOf: async ({ db }, userId) => {
      const rentals = await listRentalsByUser(db, userId)
      return rentals.length ? rentals.map(({ number, service, country, since, receivedAt }) => ({ number, service, country, since, receivedAt })) : undefined
    },
  },
  start: async (deps) => {
    sellService(deps, numbersSpec)
    sellService(deps, packsSpec)
    return () => closeNotifyChannel(deps, 'numbers')
  },
})
