import type { JobSpec } from '#platform/server/jobs.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { deletePageErrors } from './data-pages.ts'
import { deletePolicyReports } from './data.ts'

const KEPT_MS = 30 * 86_400_000

export const siteJobs: readonly JobSpec[] = [
  {
    name: 'site.cleanup',
    cron: '41 3 * * *',
    handle: async ({ db, clock }) => {
      const before = toShanghaiDay(clock.now().getTime() - KEPT_MS)
      await deletePolicyReports(db, before)
      await deletePageErrors(db, before)
    },
  },
]
