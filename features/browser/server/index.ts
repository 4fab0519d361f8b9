import { defineFeature } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { browserAllErrors } from '../contract.ts'
import { browserTexts } from '../texts.ts'
import { accountService } from './accounts/spec.ts'
import { endBrowserToken } from './packages/token.ts'
import { packageService } from './packages/spec.ts'
import { browserRoutes } from './routes.ts'
import { browserSettings } from './settings.ts'

export const browser = defineFeature({
  name: 'browser',
  texts: browserTexts,
  errors: browserAllErrors,
  routes: [browserRoutes],
  settings: browserSettings,
  events: ['user.deleted', 'user.secrets-dropped'].map((event) => ({ event, name: 'browser', handle: endBrowserToken })),
  start: async (deps) => {
    sellService(deps, packageService)
    sellService(deps, accountService)
  },
})
