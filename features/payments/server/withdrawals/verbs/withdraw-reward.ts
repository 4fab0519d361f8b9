import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { requirePayouts } from '#features/account/server/door.ts'
import { settleDebts } from '#features/wallet/server/door.ts'
import type { WithdrawalRow as WithdrawalView } from '../../../contract-withdraw.ts'
import { rateNow } from '../../offer/rate-now.ts'
import { lockRequests, rewardThisMonth } from '../data-sums.ts'
import { pursed, rewardPurse } from '../purses.ts'
import { refuseBlocked, standingOf } from '../standing.ts'
import { payeeOf, startWithdrawal } from '../start-withdrawal.ts'
import type { Payee } from '../start-withdrawal.ts'
import { withdrawalView } from '../view.ts'

/**
 * Withdraws rewards to the user's Alipay account: a regular withdrawal, by transfer, once a month. The caller has checked the
 * payment password and passes the amount. Errors: those of `balanceRefund`, WITHDRAW_ONCE_A_MONTH.
 */
export async function withdrawReward(ctx: Ctx, tx: Tx, amount: Nano, payee: Payee): Promise<WithdrawalView> {
  await requirePayouts(tx, ctx.userId)
  await lockRequests(tx, ctx.userId)
  await settleDebts(tx, ctx.userId)
  const standing = await standingOf(ctx, tx)
  refuseBlocked(standing)
  const { everybodyLeft } = standing
  if (amount > everybodyLeft) fail('WITHDRAW_LIMIT', { left: usd(everybodyLeft) })
  if (await rewardThisMonth(tx, ctx.userId)) fail('WITHDRAW_ONCE_A_MONTH')
  const named = (await payeeOf(ctx, tx, payee)) ?? fail('PAYOUT_ACCOUNT_NEEDED')
  const row = await startWithdrawal(ctx, tx, { amount, rate: await rateNow(ctx.settings), source: 'reward', payee: named })
  await rewardPurse().take(tx, pursed(row))
  return withdrawalView(row)
}
