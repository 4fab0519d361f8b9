import type { JobSpec } from '#platform/server/jobs.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { deletePageErrors } from './data-pages.ts'
import { deleteReports } from './data.ts'

const KEPT_MS = 30 * 86_400_000

export const siteJobs: readonly JobSpec[] = [
  {
    name: 'site.cleanup',
    cron: '41 3 * * *',
    handle: async ({ db, clock }) => {
      const before = shanghaiDay(clock.now().getTime() - KEPT_MS)
      await deleteReports(db, before)
      await deletePageErrors(db, before)
    },
  },
]
