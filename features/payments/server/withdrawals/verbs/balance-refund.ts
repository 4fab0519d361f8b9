import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { requirePayouts, requirePayPassword } from '#features/account/server/door.ts'
import { readBalance, placeHold, settleDebts } from '#features/wallet/server/door.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { readExchangeRate } from '../../offer/rate-now.ts'
import { lockWithdrawalRequests } from '../data-sums.ts'
import { WITHDRAWAL_HOLD_SECONDS } from '../../set-aside/parts.ts'
import { requireWithdrawalsOpen, readWithdrawalEligibility, planWays } from '../eligibility.ts'
import { resolvePayee, startWithdrawal } from '../start-withdrawal.ts'
import { toWithdrawalView } from '../view.ts'

type RefundRequest = InputOf<typeof withdrawContract.balanceRefund>

/** Holds the money and stores the account; no money leaves in this call. */
async function request(ctx: TxCtx, asked: RefundRequest) {
  const tx = ctx.tx
  await requirePayouts(tx, ctx.userId)
  await lockWithdrawalRequests(tx, ctx.userId)
  await settleDebts(tx, ctx.userId)
  const standing = await readWithdrawalEligibility(ctx, tx)
  requireWithdrawalsOpen(standing)
  const amount = asked.amount === undefined ? standing.withdrawable : parseUsd(asked.amount)
  const limited = minNano(standing.dayLeft, standing.monthLeft)
  if (amount > standing.unlimited || standing.unlimited < standing.min) fail('WITHDRAW_TOO_LARGE', { max: formatUsd(standing.unlimited) })
  if (amount > limited || limited < standing.min) fail('WITHDRAW_LIMIT', { left: formatUsd(limited) })
  if (amount < standing.min) fail('WITHDRAW_TOO_SMALL', { min: formatUsd(standing.min) })
  if (amount > standing.everybodyLeft) fail('WITHDRAW_LIMIT', { left: formatUsd(standing.everybodyLeft) })
  const rate = await readExchangeRate(ctx.settings)
  const payee = await resolvePayee(ctx, tx, asked)
  if (!payee) await requireChannelsCover(ctx, tx, { amount, rate })
  const row = await startWithdrawal(ctx, tx, { amount, rate, source: 'balance', payee })
  const held = await placeHold(tx, {
    id: row.withdrawalNo,
    userId: ctx.userId,
    amount,
    ttlSeconds: WITHDRAWAL_HOLD_SECONDS,
    purpose: 'withdrawal',
    onlyPurchased: true,
  })
  if (held.status === 'refused') fail('WITHDRAW_TOO_LARGE', { max: formatUsd(standing.unlimited) })
  // Checked again under the hold, which locks the account: a concurrent spend must not eat into the minimum.
  const after = await readBalance(tx, ctx.userId)
  if (subtractNano(after.available, standing.keep) < 0n) fail('WITHDRAW_TOO_LARGE', { max: formatUsd(standing.unlimited) })
  crashPoint('payments.withdraw-before-commit')
  return toWithdrawalView(row)
}

/** Requires a payout account unless channels refund the whole amount. A refund that fails later then stays in the balance. */
async function requireChannelsCover(ctx: Ctx, tx: Tx, { amount, rate }: { readonly amount: Nano; readonly rate: string }): Promise<void> {
  if ((await planWays(ctx, tx, { userId: ctx.userId, wish: { amount, rate } })).transfer !== null) fail('PAYOUT_ACCOUNT_NEEDED')
}

export const balanceRefund: Handler<typeof withdrawContract.balanceRefund> = Object.assign(request, {
  before: (ctx: Ctx, { payPassword }: RefundRequest) => requirePayPassword(ctx, ctx.userId, payPassword),
})
