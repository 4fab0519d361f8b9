import type { JobSpec } from '#platform/server/jobs.ts'
import { expireDueHolds, expireDueLots } from './data.ts'

/** Each is one statement or read-only, so running twice or in two processes does no harm. */
export const walletJobs: readonly JobSpec[] = [
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
