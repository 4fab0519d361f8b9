import type { Handler } from '#platform/server/feature.ts'
import { formatMinor, parseUsd, toMinorUnitsDown, formatUsd } from '#platform/shared/money.ts'
import { roundDebtUp } from '#features/wallet/server/door.ts'
import type { withdrawContract } from '../../../contract-withdraw.ts'
import { readExchangeRate } from '../../offer/rate-now.ts'
import { selectOpenWithdrawal } from '../../set-aside/data.ts'
import { selectPayoutAccount } from '../data-account.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { computeCoolOffEnd, readWithdrawalEligibility, planWays, loadWithdrawalWithWays } from '../eligibility.ts'

export const withdrawQuote: Handler<typeof withdrawContract.withdrawQuote> = async (ctx, { amount: wished }) => {
  const standing = await readWithdrawalEligibility(ctx, ctx.db)
  const account = await selectPayoutAccount(ctx.db, ctx.userId)
  const open = await selectOpenWithdrawal(ctx.db, ctx.userId)
  const rate = await readExchangeRate(ctx.settings)
  const amount = wished === undefined ? standing.withdrawable : parseUsd(wished)
  const fits = amount >= standing.min && amount <= standing.withdrawable
  const until = account && (await computeCoolOffEnd(ctx, account))
  const { dayLeft, monthLeft, min, withdrawable } = standing
  const small = withdrawable < min ? (dayLeft < min || monthLeft < min ? 'WITHDRAW_LIMIT' : 'WITHDRAW_TOO_SMALL') : null
  const ways = fits ? await planWays(ctx, ctx.db, { userId: ctx.userId, wish: { amount, rate } }) : { parts: [], transfer: null }
  return {
    balance: formatUsd(standing.balance),
    withdrawable: formatUsd(withdrawable),
    granted: formatUsd(standing.granted),
    keep: formatUsd(standing.keep),
    min: formatUsd(min),
    dayLeft: formatUsd(dayLeft),
    monthLeft: formatUsd(monthLeft),
    rate,
    payAmount: fits ? formatMinor(toMinorUnitsDown(amount, rate)) : null,
    ...ways,
    fullWithdraw: fits && ways.transfer === null,
    account: account ? { ...account.shown, changedTime: (account.changedAt ?? account.createdAt).toISOString() } : null,
    coolOffUntil: until && until > ctx.clock.now() ? until.toISOString() : null,
    approvalAbove: await ctx.settings.get(withdrawApprovalAbove),
    blocked: standing.blocked ?? (open ? 'WITHDRAW_OPEN' : small),
    resumes: standing.resumes,
    owed: formatUsd(roundDebtUp(standing.owed)),
    open: open ? await loadWithdrawalWithWays(ctx, ctx.db, open) : null,
  }
}
