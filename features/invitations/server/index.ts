import { defineFeature } from '#platform/server/feature.ts'
import { registerFirstDiscount, registerRewardSource } from '#features/payments/server/door.ts'
import { invitationCallErrors } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { findInvitedDiscount } from './codes/first-discount.ts'
import { invitationEvents } from './events.ts'
import { invitationJobs } from './jobs.ts'
import { invitationRewardSource } from './payouts/reward-source.ts'
import { invitationsPersonal } from './personal.ts'
import { rateCommands } from './rates/commands.ts'
import { reviewCommands } from './review/commands.ts'
import { fissionRoutes, invitationRoutes, reviewRoutes } from './routes.ts'
import { ruleCommands } from './rules/commands.ts'
import { invitationSettings } from './settings.ts'

registerFirstDiscount(findInvitedDiscount)
registerRewardSource(invitationRewardSource)

export const invitations = defineFeature({
  name: 'invitations',
  texts: invitationTexts,
  errors: invitationCallErrors,
  routes: [invitationRoutes, fissionRoutes],
  consoleRoutes: [reviewRoutes],
  commands: [...reviewCommands, ...rateCommands, ...ruleCommands],
  jobs: invitationJobs,
  events: invitationEvents,
  settings: invitationSettings,
  personal: invitationsPersonal,
})
