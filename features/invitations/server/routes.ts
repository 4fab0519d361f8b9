import { bind } from '#platform/server/feature.ts'
import { invitationsContract } from '../contract.ts'
import { fissionContract } from '../contract-fission.ts'
import { reviewContract } from '../contract.console.ts'
import { landing } from './codes/landing.ts'
import { chooseCode } from './codes/own-code.ts'
import { redeemTypedCode, redeemLoginCode } from './codes/redeem-code.ts'
import { readInvitationInfo, readRewardSummary, readInvitationStat } from './lists/invitation-info.ts'
import { listInvitationRewards, listCashback, listDirect, listSecond, listTiered } from './lists/reward-list.ts'
import { moveToBalance } from './payouts/move-to-balance.ts'
import { listReviews, readReview } from './review/read-reviews.ts'
import { readInvitationRules } from './review/read-rules.ts'
import { paidFile } from './tax/paid-file.ts'
import { withdrawRewards } from './payouts/withdraw-rewards.ts'

export const invitationRoutes = bind(invitationsContract, {
  info: readInvitationInfo,
  list: listInvitationRewards,
  chooseCode,
  landing,
  withdrawal: withdrawRewards,
})

export const fissionRoutes = bind(fissionContract, {
  getInvitationRewardStat: readInvitationStat,
  getInvitationReward: readRewardSummary,
  invitationRewardWithdraw: moveToBalance,
  listInvitation: listDirect,
  listSecondInvitation: listSecond,
  listTieredInvitation: listTiered,
  listCashback,
  updateInvitation: redeemTypedCode,
  inviteCode: redeemLoginCode,
  updateInvitedCode: redeemTypedCode,
})

/** At the operators' origin. */
export const reviewRoutes = bind(reviewContract, { reviews: listReviews, review: readReview, rules: readInvitationRules, paidFile })
