import { defineFeature } from '#platform/server/feature.ts'
import { paymentErrors } from '../errors.ts'
import { paymentTexts } from '../texts.ts'
import { paymentJobs } from './jobs.ts'
import { paymentRawRoutes, paymentRoutes } from './routes.ts'
import { paymentSettings } from './settings.ts'
import { outsidePanels, refuseSandboxes } from './vendors/index.ts'

export const payments = defineFeature({
  name: 'payments',
  texts: paymentTexts,
  errors: paymentErrors,
  routes: [paymentRoutes],
  rawRoutes: paymentRawRoutes,
  jobs: paymentJobs,
  settings: paymentSettings,
  sandboxPanels: outsidePanels,
  start: async (deps) => refuseSandboxes(deps.config),
})
