import { defineFeature } from '#platform/server/feature.ts'
import { registerFirstDiscount, registerRewardPurse } from '#features/payments/server/door.ts'
import { allErrors } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { invitedDiscount } from './codes/first-discount.ts'
import { invitationEvents } from './events.ts'
import { invitationJobs } from './jobs.ts'
import { rewardPurse } from './payouts/purse.ts'
import { invitationsPersonal } from './personal.ts'
import { rateCommands } from './rates/commands.ts'
import { reviewCommands } from './review/commands.ts'
import { fissionRoutes, invitationRoutes, reviewRoutes } from './routes.ts'
import { ruleCommands } from './rules/commands.ts'
import { invitationSettings } from './settings.ts'

registerFirstDiscount(invitedDiscount)
registerRewardPurse(rewardPurse)

export const invitations = defineFeature({
  name: 'invitations',
  texts: invitationTexts,
  errors: allErrors,
  routes: [invitationRoutes, fissionRoutes],
  consoleRoutes: [reviewRoutes],
  commands: [...reviewCommands, ...rateCommands, ...ruleCommands],
  jobs: invitationJobs,
  events: invitationEvents,
  settings: invitationSettings,
  personal: invitationsPersonal,
})
