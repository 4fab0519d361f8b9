import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteExpiredCodes } from './codes/data.ts'
import { deleteOldChallenges } from './factors/data.ts'
import { deleteOldViews } from './sessions/data-views.ts'
import { deleteExpiredFlows, deleteExpiredSessions, deleteOldPlaces } from './sessions/data.ts'

const DAY_MS = 86_400_000
/** Days after which an unused browser is forgotten; its next sign-in notifies the user again. */
const PLACE_DAYS = 180

/** Ended rows are kept for one day for support, then deleted. */
export const accountJobs: readonly JobSpec[] = [
  {
    name: 'account.cleanup',
    cron: '23 * * * *',
    handle: async ({ db, clock }) => {
      const before = new Date(clock.now().getTime() - DAY_MS)
      await deleteExpiredCodes(db, before)
      await deleteExpiredFlows(db, before)
      await deleteExpiredSessions(db, before)
      await deleteOldChallenges(db, before)
      await deleteOldViews(db, before)
      await deleteOldPlaces(db, new Date(clock.now().getTime() - PLACE_DAYS * DAY_MS))
    },
  },
]
