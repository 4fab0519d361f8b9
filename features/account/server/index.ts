import { defineFeature } from '#platform/server/feature.ts'
import { accountErrors } from '../contract.ts'
import { accountTexts } from '../texts.ts'
import { accountConfig } from './config.ts'
import { countUsers } from './data-sign-up.ts'
import { ACCOUNT_TOTP_PURPOSE } from './factors/factors.ts'
import { freezeCommands } from './freezing/commands.ts'
import { accountJobs } from './jobs.ts'
import { lockCommands } from './locks/commands.ts'
import { lockRoutes } from './locks/read.ts'
import { preparePasswords } from './passwords/passwords.ts'
import { payPasswordKeyedRows } from './pay-password/pay-password.ts'
import { accountPersonal } from './personal.ts'
import { accountRoutes } from './routes.ts'
import { authenticateView } from './sessions/view-as.ts'
import { authenticateUser, sessionEndReason } from './sessions/sessions.ts'
import { accountSettings } from './settings.ts'
import { sandboxRoutes, signInPort } from './vendors/index.ts'

export const account = defineFeature({
  name: 'account',
  suppliers: [signInPort],
  texts: accountTexts,
  errors: accountErrors,
  routes: accountRoutes,
  rawRoutes: sandboxRoutes,
  commands: [...freezeCommands, ...lockCommands],
  consoleRoutes: [lockRoutes],
  jobs: accountJobs,
  settings: accountSettings,
  config: accountConfig,
  personal: accountPersonal,
  counted: { users: ({ db }) => countUsers(db) },
  keyed: [payPasswordKeyedRows],
  authenticate: async (deps, token, seen) => (await authenticateUser(deps, token, seen)) ?? authenticateView(deps, token),
  sealed: [{ table: 'account_authenticators', column: 'sealed', id: 'user_id', owner: 'user_id', purpose: ACCOUNT_TOTP_PURPOSE }],
  sessionEndReason,
  start: async () => {
    await preparePasswords()
  },
})
