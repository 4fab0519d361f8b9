import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteExpiredCodes, deleteExpiredSessions } from './data.ts'

const DAY_MS = 86_400_000

/** Ended rows are kept a day for support, then forgotten. */
export const accountJobs: readonly JobSpec[] = [
  {
    name: 'account.cleanup',
    cron: '23 * * * *',
    handle: async ({ db, clock }) => {
      const before = new Date(clock.now().getTime() - DAY_MS)
      await deleteExpiredCodes(db, before)
      await deleteExpiredSessions(db, before)
    },
  },
]
