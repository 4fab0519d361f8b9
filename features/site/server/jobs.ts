import type { JobSpec } from '#platform/server/jobs.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { deleteReports } from './data.ts'

const KEPT_MS = 30 * 86_400_000

export const siteJobs: readonly JobSpec[] = [
  { name: 'site.cleanup', cron: '41 3 * * *', handle: ({ db, clock }) => deleteReports(db, shanghaiDay(clock.now().getTime() - KEPT_MS)) },
]
