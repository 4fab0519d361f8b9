import { crashPoint } from '#platform/server/crash.ts'
import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { minus, parseUsd, usd } from '#platform/shared/money.ts'
import { grantedDays, grantedUntil } from '#features/payments/server/door.ts'
import { lockActive } from '#features/account/server/door.ts'
import { balanceOf, post, settleDebts, userAccount, wholeDebt } from '#features/wallet/server/door.ts'
import type { fissionContract } from '../../contract-fission.ts'
import { lockInviter } from '../data.ts'
import { openSum, takeEntries } from './data.ts'

/** All that is available, less what was taken back, becomes granted credit; what was moved can be spent and not withdrawn. */
export const moveToBalance: Handler<typeof fissionContract.invitationRewardWithdraw> = async (ctx, { amount: shown }) => {
  const { userId } = ctx
  const tx = ctx.tx
  if (!(await lockActive(tx, userId))) fail('SESSION_EXPIRED')
  await lockInviter(tx, userId)
  const amount = await openSum(tx, userId)
  if (amount <= 0n) fail('REWARD_NONE')
  if (shown !== undefined && parseUsd(shown) !== amount) fail('REWARD_CHANGED')
  // what the balance owes, the rewards pay as they arrive; no gift pays for a card
  const owed = await settleDebts(tx, userId)
  if (owed > minus(0n, (await balanceOf(tx, userId)).receivable)) fail('DEBT_FIRST', { owed: usd(wholeDebt(owed)) })
  const payoutNo = newId('rwd')
  const expiresAt = grantedUntil(ctx.clock.now(), await ctx.settings.get(grantedDays))
  await takeEntries(tx, { payoutNo, userId, way: 'balance', amount })
  await post(tx, {
    kind: 'invitation.moved',
    ref: payoutNo,
    legs: [{ from: userAccount(userId, 'reward'), to: userAccount(userId), amount, lot: { kind: 'granted', ...(expiresAt ? { expiresAt } : {}) } }],
  })
  crashPoint('invitations.move-before-commit')
  await tx.audit('invitation.moved', `user:${userId}`, { amount: usd(amount), payoutNo })
  await tx.emit('invitation.moved', { userId, amount: usd(amount) })
  return { amount: usd(amount), balance: usd((await balanceOf(tx, userId)).posted) }
}
