import { defineFeature } from '#platform/server/feature.ts'
import { captchaSources } from './captchas.ts'
import { riskConfig } from './config.ts'
import { riskJobs } from './jobs.ts'
import { riskRoutes } from './routes.ts'
import { riskSettings } from './settings.ts'

export const risk = defineFeature({
  name: 'risk',
  routes: [riskRoutes],
  jobs: riskJobs,
  settings: riskSettings,
  config: riskConfig,
  pageSources: captchaSources,
})
