import type { Handler } from '#platform/server/feature.ts'
import { minorText, parseUsd, toMinorUnitsDown, usd } from '#platform/shared/money.ts'
import { wholeDebt } from '#features/wallet/server/door.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { rateNow } from '../../offer/rate-now.ts'
import { openWithdrawal } from '../../set-aside/data.ts'
import { payoutAccount } from '../data-account.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { coolOffEnd } from '../cool-off.ts'
import { standingOf } from '../standing.ts'
import { waysOf, withdrawalWithWays } from '../ways.ts'

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
  const ways = fits ? await waysOf(ctx, ctx.db, ctx.userId, { amount, rate }) : { parts: [], transfer: null }
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
    ...ways,
    fullWithdraw: fits && ways.transfer === null,
    account: account ? { ...account.shown, changedTime: (account.changed_at ?? account.created_at).toISOString() } : null,
    coolOffUntil: until && until > ctx.clock.now() ? until.toISOString() : null,
    approvalAbove: await ctx.settings.get(withdrawApprovalAbove),
    blocked: standing.blocked ?? (open ? 'WITHDRAW_OPEN' : small),
    resumes: standing.resumes,
    owed: usd(wholeDebt(standing.owed)),
    open: open ? await withdrawalWithWays(ctx, ctx.db, open) : null,
  }
}
