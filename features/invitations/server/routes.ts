import { bind } from '#platform/server/feature.ts'
import { invitationsContract } from '../contract.ts'
import { fissionContract } from '../contract-fission.ts'
import { reviewContract } from '../contract.console.ts'
import { landing } from './codes/landing.ts'
import { chooseCode } from './codes/own-code.ts'
import { giveCode, keepCode } from './codes/take-code.ts'
import { info, reward, stat } from './lists/invitation-info.ts'
import { list, listCashback, listDirect, listSecond, listTiered } from './lists/reward-list.ts'
import { moveToBalance } from './payouts/move-to-balance.ts'
import { listReviews, readReview } from './review/read-reviews.ts'
import { readRules } from './review/read-rules.ts'
import { paidFile } from './tax/paid-file.ts'
import { withdrawRewards } from './payouts/withdraw-rewards.ts'

export const invitationRoutes = bind(invitationsContract, { info, list, chooseCode, landing, withdrawal: withdrawRewards })

export const fissionRoutes = bind(fissionContract, {
  getInvitationRewardStat: stat,
  getInvitationReward: reward,
  invitationRewardWithdraw: moveToBalance,
  listInvitation: listDirect,
  listSecondInvitation: listSecond,
  listTieredInvitation: listTiered,
  listCashback,
  updateInvitation: giveCode,
  inviteCode: keepCode,
  updateInvitedCode: giveCode,
})

/** At the operators' origin. */
export const reviewRoutes = bind(reviewContract, { reviews: listReviews, review: readReview, rules: readRules, paidFile })
