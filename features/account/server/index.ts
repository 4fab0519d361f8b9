import { defineFeature } from '#platform/server/feature.ts'
import { accountErrors } from '../contract.ts'
import { accountTexts } from '../texts.ts'
import { accountJobs } from './jobs.ts'
import { preparePasswords } from './passwords.ts'
import { accountRoutes } from './routes.ts'
import { authenticate } from './sessions.ts'
import { accountSettings } from './settings.ts'

export const account = defineFeature({
  name: 'account',
  texts: accountTexts,
  errors: accountErrors,
  routes: [accountRoutes],
  jobs: accountJobs,
  settings: accountSettings,
  authenticate,
  start: async () => {
    await preparePasswords()
  },
})
