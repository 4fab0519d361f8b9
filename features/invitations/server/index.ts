import { defineFeature, type EventHandler } from '#platform/server/feature.ts'
import { registerFirstDiscount, registerRewardSource } from '#features/payments/server/door.ts'
import { invitationCallErrors } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { findInvitedDiscount } from './codes/first-discount.ts'
import { invitationRewardSource } from './payouts/reward-source.ts'
import { invitationsPersonal } from './personal.ts'
import { rateCommands } from './rates/commands.ts'
import { reviewCommands } from './review/commands.ts'
import { fissionRoutes, invitationRoutes, reviewRoutes } from './routes.ts'
import { ruleCommands } from './rules/commands.ts'
import { invitationSettings } from './settings.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { redeemSignUpCode } from './codes/redeem-code.ts'
import { reconcileInvitee } from './rewards/reconcile-invitee.ts'

/** Events that may change a user's cash. The current amount is queried, never computed from events. */
const CASH_EVENTS = [
  'order.paid',
  'order.paid_late',
  'order.paid_again',
  'order.resolved',
  'order.refunded',
  'order.refund_failed',
  'order.disputed',
  'order.dispute_closed',
  'withdrawal.paid',
  'withdrawal.refused',
  'withdrawal.returned',
] as const

const invitationEvents: readonly EventHandler[] = [
  { event: 'user.registered', name: 'invitations', handle: redeemSignUpCode },
  ...CASH_EVENTS.map((event) => ({
    event,
    name: 'invitations',
    handle: (deps: Parameters<EventHandler['handle']>[0], { userId }: { userId: string }) => reconcileInvitee(deps, userId),
  })),
  // A user who pays within a second of registering becomes an invitee only here.
  { event: 'invitation.related', name: 'invitations', handle: (deps, { userId }: { userId: string }) => reconcileInvitee(deps, userId) },
]

/** Each reward in a transaction of its own, from the state it is in: running twice, or in two processes, does no harm. */
const invitationJobs: readonly JobSpec[] = [
  { name: 'invitations.release', everyMs: 5000, handle: async (deps) => (await import('./rewards/release-due.ts')).releaseDueRewards(deps) },
]

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
