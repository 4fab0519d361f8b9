import { bind } from '#platform/server/feature.ts'
import { invitationsContract } from '../contract.ts'
import { landing } from './codes/landing.ts'
import { chooseCode } from './codes/own-code.ts'
import { giveCode, keepCode } from './codes/take-code.ts'
import { info, reward, stat } from './lists/invitation-info.ts'
import { list, listCashback, listDirect, listSecond, listTiered } from './lists/reward-list.ts'
import { moveToBalance } from './payouts/move-to-balance.ts'
import { withdrawRewards } from './payouts/withdraw-rewards.ts'

export const invitationRoutes = bind(invitationsContract, {
  info,
  list,
  chooseCode,
  landing,
  withdrawal: withdrawRewards,
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
