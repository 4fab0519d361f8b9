import { z } from 'zod'
import { defineContract, emptyReply, usdText } from '#platform/shared/contract.ts'
import { amount } from '#features/payments/contract-shapes.ts'
import { invitationCallErrors, anyCode, listReply, cursorPaging, invitationStat } from './contract-shapes.ts'

/** The same figures and actions under the paths that older clients use. */
export const fissionContract = defineContract(invitationCallErrors)({
  getInvitationRewardStat: {
    method: 'GET',
    path: '/v1/fission/getInvitationRewardStat',
    access: 'user',
    summary: 'Sums and counts of the own rewards',
    input: emptyReply,
    reply: invitationStat,
    errors: [],
  },
  getInvitationReward: {
    method: 'GET',
    path: '/v1/fission/getInvitationReward',
    access: 'user',
    summary: 'Rewards that can be moved or withdrawn now, those that wait, and obstacles',
    input: emptyReply,
    reply: z.object({ available: usdText, pending: usdText, withdrawMin: usdText, withdrawMissing: usdText, underReview: z.boolean() }),
    errors: [],
  },
  invitationRewardWithdraw: {
    method: 'POST',
    path: '/v1/fission/invitationRewardWithdraw',
    access: 'user',
    summary: 'Moves all available rewards into the balance, where they can be spent and not withdrawn',
    idempotency: 'optional',
    /** Amount shown on the page; nothing moves if the available amount differs. */
    input: z.object({ amount: amount.optional() }),
    reply: z.object({ amount: usdText, balance: usdText }),
    errors: ['REWARD_NONE', 'REWARD_CHANGED', 'DEBT_FIRST'],
  },
  listInvitation: {
    method: 'GET',
    path: '/v1/fission/listInvitation',
    access: 'user',
    summary: 'Rewards for people invited directly',
    input: z.object(cursorPaging),
    reply: listReply,
    errors: [],
  },
  listSecondInvitation: {
    method: 'GET',
    path: '/v1/fission/listSecondInvitation',
    access: 'user',
    summary: 'Rewards for people invited by those; empty while the rules have no second level',
    input: z.object(cursorPaging),
    reply: listReply,
    errors: [],
  },
  listTieredInvitation: {
    method: 'GET',
    path: '/v1/fission/listTieredInvitation',
    access: 'user',
    summary: 'Rewards whose rate a tier of the quarter raised; empty while the rules have no tiers',
    input: z.object(cursorPaging),
    reply: listReply,
    errors: [],
  },
  listCashback: {
    method: 'GET',
    path: '/v1/fission/listCashback',
    access: 'user',
    summary: 'Rewards that are a share of the payment; empty while the rules have none',
    input: z.object(cursorPaging),
    reply: listReply,
    errors: [],
  },
  updateInvitation: {
    method: 'POST',
    path: '/v1/fission/updateInvitation',
    access: 'user',
    summary: 'Records the code the user was invited with, once, within a day of registering and before the first payment',
    input: z.object({ inviteCode: anyCode }),
    reply: emptyReply,
    errors: ['INVITE_CLOSED', 'INVITE_UNKNOWN'],
  },
  inviteCode: {
    method: 'POST',
    path: '/user/inviteCode',
    access: 'user',
    summary: 'The invite code that a new user came with; a later, second or unknown one is not taken, and that is no error',
    /** 2: a user invited by a user, the only type. */
    input: z.object({ inviteCode: anyCode, invitationType: z.coerce.number().pipe(z.literal(2)).default(2) }),
    reply: z.object({ accepted: z.boolean() }),
    errors: [],
  },
  updateInvitedCode: {
    method: 'POST',
    path: '/user/updateInvitedCode',
    access: 'user',
    summary: 'An invite code typed by hand, as `updateInvitation`',
    input: z.object({ inviteCode: anyCode }),
    reply: emptyReply,
    errors: ['INVITE_CLOSED', 'INVITE_UNKNOWN'],
  },
})
