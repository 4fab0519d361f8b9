import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteEnded } from './data.ts'
import { deleteEndedCaptchas } from './data-captchas.ts'
import { deleteOldMarks } from './marks/data.ts'
import { markDays } from './settings.ts'

const DAY_MS = 86_400_000

export const riskJobs: readonly JobSpec[] = [
  {
    name: 'risk.cleanup',
    cron: '7 * * * *',
    handle: async (deps) => {
      await deleteEnded(deps.db, deps.clock.now())
      await deleteEndedCaptchas(deps.db, deps.clock.now())
      await deleteOldMarks(deps.db, new Date(deps.clock.now().getTime() - (await deps.settings.get(markDays)) * DAY_MS))
    },
  },
]
