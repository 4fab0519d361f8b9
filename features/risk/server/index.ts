import { defineFeature } from '#platform/server/feature.ts'
import { blockCommands } from './blocks/commands.ts'
import { blockRoutes } from './blocks/read.ts'
import { listCaptchaSources } from './captchas.ts'
import { riskConfig } from './config.ts'
import { countMarksByKey, deleteOldMarks } from './marks/data.ts'
import { riskRoutes } from './routes.ts'
import { riskSettings, markDays } from './settings.ts'
import { captchaPort } from './vendors/index.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteEnded, deleteEndedCaptchas } from './data.ts'

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

export const risk = defineFeature({
  name: 'risk',
  suppliers: [captchaPort],
  routes: [riskRoutes],
  consoleRoutes: [blockRoutes],
  commands: blockCommands,
  jobs: riskJobs,
  settings: riskSettings,
  config: riskConfig,
  keyed: [{ name: 'risk marks', countByKey: countMarksByKey }],
  pageSources: listCaptchaSources,
})
