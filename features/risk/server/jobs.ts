import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteEnded } from './data.ts'
import { deleteEndedCaptchas } from './data-captchas.ts'

export const riskJobs: readonly JobSpec[] = [
  {
    name: 'risk.cleanup',
    cron: '7 * * * *',
    handle: async (deps) => {
      await deleteEnded(deps.db, deps.clock.now())
      await deleteEndedCaptchas(deps.db, deps.clock.now())
    },
  },
]
