import { defineFeature } from '#platform/server/feature.ts'
import { accountErrors } from '../contract.ts'
import { accountTexts } from '../texts.ts'
import { accountConfig } from './config.ts'
import { countUsers } from './data.ts'
import { ACCOUNT_TOTP_PURPOSE } from './factors/factors.ts'
import { freezeCommands } from './freezing/commands.ts'
import { lockCommands } from './locks/commands.ts'
import { lockRoutes } from './locks/read.ts'
import { preparePasswords } from './passwords/passwords.ts'
import { payPasswordKeyedRows } from './pay-password/pay-password.ts'
import { accountPersonal } from './personal.ts'
import { accountRoutes } from './routes.ts'
import { authenticateView } from './sessions/list-sessions.ts'
import { authenticateUser, sessionEndReason } from './sessions/sessions.ts'
import { accountSettings } from './settings.ts'
import { sandboxRoutes, signInPort } from './vendors/index.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { deleteExpiredCodes } from './codes/data.ts'
import { deleteOldChallenges } from './factors/data.ts'
import { deleteOldViews, deleteExpiredFlows, deleteExpiredSessions, deleteOldPlaces } from './sessions/data.ts'

const DAY_MS = 86_400_000
/** Days after which an unused browser is forgotten; its next sign-in notifies the user again. */
const PLACE_DAYS = 180

/** Ended rows are kept for one day for support, then deleted. */
export const accountJobs: readonly JobSpec[] = [
  {
    name: 'account.cleanup',
    cron: '23 * * * *',
    handle: async ({ db, clock }) => {
      const before = new Date(clock.now().getTime() - DAY_MS)
      await deleteExpiredCodes(db, before)
      await deleteExpiredFlows(db, before)
      await deleteExpiredSessions(db, before)
      await deleteOldChallenges(db, before)
      await deleteOldViews(db, before)
      await deleteOldPlaces(db, new Date(clock.now().getTime() - PLACE_DAYS * DAY_MS))
    },
  },
]

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
