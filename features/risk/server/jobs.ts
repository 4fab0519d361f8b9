import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteEnded } from './data.ts'

export const riskJobs: readonly JobSpec[] = [{ name: 'risk.cleanup', cron: '7 * * * *', handle: (deps) => deleteEnded(deps.db, deps.clock.now()) }]
