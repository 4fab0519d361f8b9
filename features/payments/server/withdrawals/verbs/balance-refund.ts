import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { least, minus, parseUsd, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { requirePayouts, requirePayPassword } from '#features/account/server/door.ts'
import { balanceOf, hold, settleDebts } from '#features/wallet/server/door.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { rateNow } from '../../offer/rate-now.ts'
import { lockRequests } from '../data-sums.ts'
import { HOLD_SECONDS } from '../../set-aside/parts.ts'
import { refuseBlocked, standingOf } from '../standing.ts'
import { payeeOf, startWithdrawal } from '../start-withdrawal.ts'
import { withdrawalView } from '../view.ts'
import { waysOf } from '../ways.ts'

type Asked = InputOf<typeof withdrawContract.balanceRefund>

/** Holds the money and stores the account; no money leaves in this call. */
async function request(ctx: TxCtx, asked: Asked) {
  const tx = ctx.tx
  await requirePayouts(tx, ctx.userId)
  await lockRequests(tx, ctx.userId)
  await settleDebts(tx, ctx.userId)
  const standing = await standingOf(ctx, tx)
  refuseBlocked(standing)
  const amount = asked.amount === undefined ? standing.withdrawable : parseUsd(asked.amount)
  const limited = least(standing.dayLeft, standing.monthLeft)
  if (amount > standing.unlimited || standing.unlimited < standing.min) fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  if (amount > limited || limited < standing.min) fail('WITHDRAW_LIMIT', { left: usd(limited) })
  if (amount < standing.min) fail('WITHDRAW_TOO_SMALL', { min: usd(standing.min) })
  if (amount > standing.everybodyLeft) fail('WITHDRAW_LIMIT', { left: usd(standing.everybodyLeft) })
  const rate = await rateNow(ctx.settings)
  const payee = await payeeOf(ctx, tx, asked)
  if (!payee) await needNone(ctx, tx, amount, rate)
  const row = await startWithdrawal(ctx, tx, { amount, rate, source: 'balance', payee })
  const held = await hold(tx, { id: row.withdrawal_no, userId: ctx.userId, amount, ttlSeconds: HOLD_SECONDS, purpose: 'withdrawal', onlyPurchased: true })
  if (held.status === 'refused') fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  // Checked again under the hold, which locks the account: a concurrent spend must not eat into the minimum.
  const after = await balanceOf(tx, ctx.userId)
  if (minus(after.available, standing.keep) < 0n) fail('WITHDRAW_TOO_LARGE', { max: usd(standing.unlimited) })
  crashPoint('payments.withdraw-before-commit')
  return withdrawalView(row)
}

/** Requires a payout account unless channels refund the whole amount. A refund that fails later then stays in the balance. */
async function needNone(ctx: Ctx, tx: Tx, amount: Nano, rate: string): Promise<void> {
  if ((await waysOf(ctx, tx, ctx.userId, { amount, rate })).transfer !== null) fail('PAYOUT_ACCOUNT_NEEDED')
}

export const balanceRefund: Handler<typeof withdrawContract.balanceRefund> = Object.assign(request, {
  before: (ctx: Ctx, { payPassword }: Asked) => requirePayPassword(ctx, ctx.userId, payPassword),
})
