import { fail } from '#platform/shared/errors.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import type { RewardSource } from '#features/payments/server/door.ts'
import { lockInviter } from '../data.ts'
import { selectPayout, releaseEntries, takeEntries } from './data.ts'

/** Reward account as the source of a withdrawal. */
export const invitationRewardSource: RewardSource = {
  take: async (tx, { withdrawalNo, userId, amount }) => {
    await lockInviter(tx, userId)
    if (!(await selectPayout(tx, withdrawalNo))) {
      const taken = await takeEntries(tx, { payoutNo: withdrawalNo, userId, way: 'withdrawal', amount })
      if (taken !== amount) fail('REWARD_NONE')
    }
    const legs = [{ from: userAccount(userId, 'reward'), to: systemAccount('in_transit'), amount }]
    return (await postTransaction(tx, { kind: 'invitation.withdrawn', ref: withdrawalNo, legs })).transactionId
  },
  giveBack: async (tx, { withdrawalNo, userId, amount }) => {
    await lockInviter(tx, userId)
    if (!(await releaseEntries(tx, withdrawalNo))) return
    await postTransaction(tx, {
      kind: 'invitation.returned',
      ref: withdrawalNo,
      legs: [{ from: systemAccount('in_transit'), to: userAccount(userId, 'reward'), amount }],
    })
  },
}
