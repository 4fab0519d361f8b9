import { defineFeature } from '#platform/server/feature.ts'
import { blockCommands } from './blocks/commands.ts'
import { blockRoutes } from './blocks/read.ts'
import { listCaptchaSources } from './captchas.ts'
import { riskConfig } from './config.ts'
import { riskJobs } from './jobs.ts'
import { countMarksByKey } from './marks/data.ts'
import { riskRoutes } from './routes.ts'
import { riskSettings } from './settings.ts'
import { captchaPort } from './vendors/index.ts'

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
