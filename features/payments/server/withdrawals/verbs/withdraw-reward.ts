import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { requirePayouts } from '#features/account/server/door.ts'
import { settleDebts } from '#features/wallet/server/door.ts'
import type { WithdrawalRow as WithdrawalView } from '../../../contract-withdraw.ts'
import { readExchangeRate } from '../../offer/rate-now.ts'
import { lockWithdrawalRequests, hasRewardThisMonth } from '../data-sums.ts'
import { toFundedWithdrawal, requireRewardSource } from '../reward-source.ts'
import { requireWithdrawalsOpen, readWithdrawalEligibility } from '../eligibility.ts'
import { resolvePayee, startWithdrawal } from '../start-withdrawal.ts'
import type { PayeeInput } from '../start-withdrawal.ts'
import { toWithdrawalView } from '../view.ts'

/**
 * Withdraws rewards to the user's Alipay account: a regular withdrawal, by transfer, once a month. The caller has checked the
 * payment password and passes the amount. Errors: those of `balanceRefund`, WITHDRAW_ONCE_A_MONTH.
 */
export async function withdrawReward(ctx: Ctx, tx: Tx, { amount, payee }: { readonly amount: Nano; readonly payee: PayeeInput }): Promise<WithdrawalView> {
  await requirePayouts(tx, ctx.userId)
  await lockWithdrawalRequests(tx, ctx.userId)
  await settleDebts(tx, ctx.userId)
  const standing = await readWithdrawalEligibility(ctx, tx)
  requireWithdrawalsOpen(standing)
  const { everybodyLeft } = standing
  if (amount > everybodyLeft) fail('WITHDRAW_LIMIT', { left: formatUsd(everybodyLeft) })
  if (await hasRewardThisMonth(tx, ctx.userId)) fail('WITHDRAW_ONCE_A_MONTH')
  const named = (await resolvePayee(ctx, tx, payee)) ?? fail('PAYOUT_ACCOUNT_NEEDED')
  const row = await startWithdrawal(ctx, tx, { amount, rate: await readExchangeRate(ctx.settings), source: 'reward', payee: named })
  await requireRewardSource().take(tx, toFundedWithdrawal(row))
  return toWithdrawalView(row)
}
