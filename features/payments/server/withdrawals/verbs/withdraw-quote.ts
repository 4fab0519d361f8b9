import type { Handler } from '#platform/server/feature.ts'
import { minorText, parseUsd, toMinorUnitsDown, usd } from '#platform/shared/money.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { rateNow } from '../../rate-now.ts'
import { planParts } from '../channel-first.ts'
import { partsOf } from '../data-parts.ts'
import { openWithdrawal, payoutAccount } from '../data.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { coolOffEnd } from '../cool-off.ts'
import { standingOf } from '../standing.ts'
import { withdrawalView } from '../view.ts'

export const withdrawQuote: Handler<typeof withdrawContract.withdrawQuote> = async (ctx, { amount: wished }) => {
  const standing = await standingOf(ctx, ctx.db)
  const account = await payoutAccount(ctx.db, ctx.userId)
  const open = await openWithdrawal(ctx.db, ctx.userId)
  const rate = await rateNow(ctx.settings)
  const amount = wished === undefined ? standing.withdrawable : parseUsd(wished)
  const fits = amount >= standing.min && amount <= standing.withdrawable
  const until = account && (await coolOffEnd(ctx, account))
  const { dayLeft, monthLeft, min, withdrawable } = standing
  const small = withdrawable < min ? (dayLeft < min || monthLeft < min ? 'WITHDRAW_LIMIT' : 'WITHDRAW_TOO_SMALL') : null
  const { parts, rest } = fits ? await planParts(ctx, ctx.db, ctx.userId, amount) : { parts: [], rest: 0n }
  return {
    balance: usd(standing.balance),
    withdrawable: usd(withdrawable),
    granted: usd(standing.granted),
    keep: usd(standing.keep),
    min: usd(min),
    dayLeft: usd(dayLeft),
    monthLeft: usd(monthLeft),
    rate,
    payAmount: fits ? minorText(toMinorUnitsDown(amount, rate)) : null,
    parts: parts.map(({ order, amount: part, minor, currency }) => ({
      orderNo: order.order_no,
      transactionType: order.transaction_type,
      amount: usd(part),
      payAmount: minorText(minor),
      payCurrency: currency,
    })),
    transfer: rest > 0n ? { amount: usd(rest), payAmount: minorText(toMinorUnitsDown(rest, rate)) } : null,
    fullWithdraw: fits && rest <= 0n,
    account: account ? { ...account.shown, changedTime: (account.changed_at ?? account.created_at).toISOString() } : null,
    coolOffUntil: until && until > ctx.clock.now() ? until.toISOString() : null,
    approvalAbove: await ctx.settings.get(withdrawApprovalAbove),
    blocked: standing.blocked ?? (open ? 'WITHDRAW_OPEN' : small),
    resumes: standing.resumes,
    open: open ? withdrawalView(open, await partsOf(ctx.db, [open.id])) : null,
  }
}
