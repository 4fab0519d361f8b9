import { defineFeature } from '#platform/server/feature.ts'
import { walletErrors } from '../errors.ts'
import { walletTexts } from '../texts.ts'
import { walletPersonal } from './personal.ts'
import { fundsRoutes, walletRoutes } from './routes.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { expireDueHolds, expireDueLots } from './data.ts'

/** Each is one statement or read-only, so running twice or in two processes does no harm. */
const walletJobs: readonly JobSpec[] = [
  {
    name: 'wallet.expire-holds',
    everyMs: 1000,
    handle: async ({ db }) => {
      while ((await expireDueHolds(db, 500)) === 500);
    },
  },
  {
    name: 'wallet.expire-lots',
    cron: '10 * * * *',
    handle: async ({ db }) => {
      while ((await expireDueLots(db, 200)) === 200);
    },
  },
  {
    name: 'wallet.verify',
    cron: '30 19 * * *', // 03:30 in Shanghai
    handle: async ({ db, log }) => {
      const { verifyLedger } = await import('./verify.ts')
      const { problems, counts } = await verifyLedger(db)
      if (problems.length) throw new Error(`the ledger does not verify: ${JSON.stringify(problems.slice(0, 5))}`)
      log.info({ counts }, 'the ledger verifies')
    },
  },
]

export const wallet = defineFeature({
  name: 'wallet',
  texts: walletTexts,
  errors: walletErrors,
  routes: [walletRoutes, fundsRoutes],
  jobs: walletJobs,
  personal: walletPersonal,
})
