import { closeBell } from '#platform/server/database/bell.ts'
import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { numbersContract } from '../contract.ts'
import { numberErrors } from '../errors.ts'
import { numberTexts } from '../texts.ts'
import { forgetUser, rentalsOfUser, ring } from './data.ts'
import { numberJobs } from './jobs.ts'
import { noticeRoutes } from './notices.ts'
import { numberSettings } from './settings.ts'
import { NUMBERS, numbersSpec } from './spec.ts'
import { overseaMobileStat } from './stat.ts'
import { suppliersOf } from './suppliers.ts'
import { packsSpec } from './uses/packs.ts'
import { numberPanel, numbersPort, sandboxRoutes, suppliersEnv } from './vendors/index.ts'
import * as verbs from './verbs.ts'
import { numbersSealed } from './watch/messages.ts'

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
        if (service === NUMBERS) await ring(deps.db, taskId)
      },
    },
    { event: 'user.deleted', name: 'numbers', handle: (deps: Deps, { userId }: { userId: string }) => forgetUser(deps.db, userId) },
  ],
  settings: numberSettings,
  config: suppliersEnv,
  sealed: numbersSealed,
  balances: async (deps) =>
    suppliersOf(deps).map(({ name, balance }) => ({ id: `numbers:${name}`, read: async () => [{ currency: 'USD', amount: await balance() }] })),
  sandboxPanels: [numberPanel],
  personal: {
    exportOf: async ({ db }, userId) => {
      const rentals = await rentalsOfUser(db, userId)
      return rentals.length
        ? rentals.map(({ number, service, country, since, received_at }) => ({ number, service, country, since, receivedAt: received_at }))
        : undefined
    },
  },
  start: async (deps) => {
    sellService(deps, numbersSpec)
    sellService(deps, packsSpec)
    return () => closeBell(deps, 'numbers')
  },
})
