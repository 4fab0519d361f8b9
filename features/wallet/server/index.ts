import { defineFeature } from '#platform/server/feature.ts'
import { walletErrors } from '../errors.ts'
import { walletTexts } from '../texts.ts'
import { walletJobs } from './jobs.ts'
import { walletPersonal } from './personal.ts'
import { fundsRoutes, walletRoutes } from './routes.ts'

export const wallet = defineFeature({
  name: 'wallet',
  texts: walletTexts,
  errors: walletErrors,
  routes: [walletRoutes, fundsRoutes],
  jobs: walletJobs,
  personal: walletPersonal,
})
