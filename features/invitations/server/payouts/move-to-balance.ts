import { crashPoint } from '#platform/server/crash.ts'
import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { grantedDays, computeGrantExpiry } from '#features/payments/server/door.ts'
import { lockActive } from '#features/account/server/door.ts'
import { readBalance, postTransaction, settleDebts, userAccount, roundDebtUp } from '#features/wallet/server/door.ts'
import type { fissionContract } from '../../contract-fission.ts'
import { lockInviter } from '../data.ts'
import { sumOpenEntries, takeEntries } from './data.ts'

/** Moves the whole available sum, less clawbacks, to the balance as granted credit, which can be spent but not withdrawn. */
export const moveToBalance: Handler<typeof fissionContract.invitationRewardWithdraw> = async (ctx, { amount: shown }) => {
  const { userId } = ctx
  const tx = ctx.tx
  if (!(await lockActive(tx, userId))) fail('SESSION_EXPIRED')
  await lockInviter(tx, userId)
  const amount = await sumOpenEntries(tx, userId)
  if (amount <= 0n) fail('REWARD_NONE')
  if (shown !== undefined && parseUsd(shown) !== amount) fail('REWARD_CHANGED')
  // arriving rewards pay the balance's debts; granted credit never pays for a card
  const owed = await settleDebts(tx, userId)
  if (owed > subtractNano(0n, (await readBalance(tx, userId)).receivable)) fail('DEBT_FIRST', { owed: formatUsd(roundDebtUp(owed)) })
  const payoutNo = createId('rwd')
  const expiresAt = computeGrantExpiry(ctx.clock.now(), await ctx.settings.get(grantedDays))
  await takeEntries(tx, { payoutNo, userId, way: 'balance', amount })
  await postTransaction(tx, {
    kind: 'invitation.moved',
    ref: payoutNo,
    legs: [{ from: userAccount(userId, 'reward'), to: userAccount(userId), amount, lot: { kind: 'granted', ...(expiresAt ? { expiresAt } : {}) } }],
  })
  crashPoint('invitations.move-before-commit')
  await tx.audit('invitation.moved', `user:${userId}`, { amount: formatUsd(amount), payoutNo })
  await tx.emit('invitation.moved', { userId, amount: formatUsd(amount) })
  return { amount: formatUsd(amount), balance: formatUsd((await readBalance(tx, userId)).posted) }
}
