import type { EventHandler } from '#platform/server/feature.ts'
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

export const invitationEvents: readonly EventHandler[] = [
  { event: 'user.registered', name: 'invitations', handle: redeemSignUpCode },
  ...CASH_EVENTS.map((event) => ({
    event,
    name: 'invitations',
    handle: (deps: Parameters<EventHandler['handle']>[0], { userId }: { userId: string }) => reconcileInvitee(deps, userId),
  })),
  // A user who pays within a second of registering becomes an invitee only here.
  { event: 'invitation.related', name: 'invitations', handle: (deps, { userId }: { userId: string }) => reconcileInvitee(deps, userId) },
]
