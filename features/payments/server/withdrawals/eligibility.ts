import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { maxNano, minNano, subtractNano, parseUsd, formatUsd, floorToCents, type Nano, formatMinor, toMinorUnitsDown } from '#platform/shared/money.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'
import { arePayoutsFrozen } from '#features/account/server/door.ts'
import { readBalance, readDebt, roundDebtUp } from '#features/wallet/server/door.ts'
import { readMaintenance } from '../offer/maintain.ts'
import { hasUncredited, sumWithdrawals } from './data-sums.ts'
import { withdrawHolidays, withdrawLimits, withdrawMin, withdrawOpen, withdrawPause, withdrawCoolOffHours } from './settings.ts'
import { withdrawKeep } from '../settings.ts'
import { payoutRegistry } from './vendors/index.ts'
import type { PayoutAccountRow } from './data-account.ts'
import type { WithdrawalRow as Row } from '../../contract-withdraw.ts'
import { planParts } from './channel-first.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { selectWithdrawalParts } from '../set-aside/data-parts.ts'
import { isAwaitingRefunds, computeLeaving } from '../set-aside/parts.ts'
import { CANCELLABLE, toWithdrawalView } from './view.ts'

type Ways = NonNullable<Row['plan']>

/** How an amount would leave now, as shown to its owner. `own`: a withdrawal holds it already. */
export async function planWays(
  deps: Deps,
  sql: Sql,
  { userId, wish }: { readonly userId: string; readonly wish: { amount: Nano; rate: string; own?: boolean } },
): Promise<Ways> {
  const { parts, rest } = await planParts(deps, sql, { userId, amount: wish.amount, own: wish.own })
  return {
    parts: parts.map(({ order, amount, minor, currency }) => ({
      orderNo: order.orderNo,
      transactionType: order.transactionType,
      amount: formatUsd(amount),
      payAmount: formatMinor(minor),
      payCurrency: currency,
    })),
    transfer: rest > 0n ? { amount: formatUsd(rest), payAmount: formatMinor(toMinorUnitsDown(rest, wish.rate)) } : null,
  }
}

/** One withdrawal with its refunded parts, or, before any was sent, with the planned ones. */
export async function loadWithdrawalWithWays(deps: Deps, sql: Sql, row: WithdrawalRow): Promise<Row> {
  const view = toWithdrawalView(row, await selectWithdrawalParts(sql, [row.id]))
  const isStill = CANCELLABLE.includes(row.state)
  if (!isStill && (row.source === 'reward' || !isAwaitingRefunds(row))) return view
  const owed = await readDebt(sql, row.userId)
  if (row.source === 'reward') {
    return { ...view, ...(owed > 0n ? { owed: formatUsd(owed) } : {}), plan: { parts: [], transfer: { amount: view.amount, payAmount: view.payAmount } } }
  }
  const { promised } = await readBalance(sql, row.userId)
  const { leaving, taken } = computeLeaving(row, promised, owed)
  const seen = { ...view, taken: formatUsd(taken) }
  return isStill ? { ...seen, plan: await planWays(deps, sql, { userId: row.userId, wish: { amount: leaving, rate: row.rate, own: true } }) } : seen
}

const HOUR_MS = 3_600_000

/** End of the wait after an account change (money.md X4); undefined if it was never changed. */
export async function computeCoolOffEnd(deps: Pick<Deps, 'settings'>, { changedAt: at }: Pick<PayoutAccountRow, 'changedAt'>): Promise<Date | undefined> {
  return at ? new Date(at.getTime() + (await deps.settings.get(withdrawCoolOffHours)) * HOUR_MS) : undefined
}

/** Withdrawable sums of a user, and the reason withdrawals are blocked. Nano-dollars; sums count from midnight in Shanghai. */
export interface WithdrawalEligibility {
  readonly balance: Nano
  readonly granted: Nano
  readonly withdrawable: Nano
  /** Amount before the daily and monthly limits. */
  readonly unlimited: Nano
  readonly dayLeft: Nano
  readonly monthLeft: Nano
  readonly everybodyLeft: Nano
  readonly min: Nano
  readonly keep: Nano
  /** Debt of the balance and of cards; while above zero, no withdrawal leaves. */
  readonly owed: Nano
  readonly blocked: 'MONEY_OUT_FROZEN' | 'DEBT_FIRST' | 'WITHDRAW_CLOSED' | 'WITHDRAW_PAUSED' | 'WITHDRAW_CHANNEL_LIMIT' | 'WITHDRAW_NOT_CREDITED' | null
  readonly resumes: string | null
}

export async function readWithdrawalEligibility(ctx: Ctx, sql: Sql): Promise<WithdrawalEligibility> {
  const limits = await ctx.settings.get(withdrawLimits)
  const keep = parseUsd(await ctx.settings.get(withdrawKeep))
  const min = parseUsd(await ctx.settings.get(withdrawMin))
  const { posted, available, withdrawable: purchased, grantedUnspent } = await readBalance(sql, ctx.userId)
  const sums = await sumWithdrawals(sql, ctx.userId)
  const left = (limit: string, used: Nano) => maxNano(subtractNano(parseUsd(limit), used), 0n)
  const dayLeft = left(limits.day, sums.day)
  const monthLeft = left(limits.month, sums.month)
  const everybodyLeft = left(limits.everybodyDay, sums.everybody)
  const owed = await readDebt(sql, ctx.userId)
  const unlimited = floorToCents(maxNano(minNano(purchased, subtractNano(available, keep)), 0n))
  const withdrawable = floorToCents(minNano(unlimited, dayLeft, monthLeft))
  return {
    balance: posted,
    granted: grantedUnspent,
    withdrawable,
    unlimited,
    dayLeft,
    monthLeft,
    everybodyLeft,
    min,
    keep,
    owed,
    ...(await findBlock(ctx, sql, { isDayFull: everybodyLeft < min, isOwing: owed > 0n })),
  }
}

/** Throws the error that blocks withdrawals, if any. */
export function requireWithdrawalsOpen({ blocked, resumes, owed }: WithdrawalEligibility): void {
  if (blocked === 'DEBT_FIRST') fail(blocked, { owed: formatUsd(roundDebtUp(owed)) })
  if (blocked) fail(blocked, { resumes: resumes ?? '' })
}

async function findBlock(
  ctx: Ctx,
  sql: Sql,
  { isDayFull, isOwing }: { readonly isDayFull: boolean; readonly isOwing: boolean },
): Promise<Pick<WithdrawalEligibility, 'blocked' | 'resumes'>> {
  if (await arePayoutsFrozen(sql, ctx.userId)) return { blocked: 'MONEY_OUT_FROZEN', resumes: null }
  if (isOwing) return { blocked: 'DEBT_FIRST', resumes: null }
  const today = toShanghaiDay(ctx.clock.now())
  const { isMaintain, closed } = await readMaintenance(ctx, ctx.lang)
  if (!(await ctx.settings.get(withdrawOpen)) || !payoutRegistry.first(ctx) || (isMaintain && closed.includes('withdraw')))
    return { blocked: 'WITHDRAW_CLOSED', resumes: null }
  const pause = await ctx.settings.get(withdrawPause)
  if (pause && today >= pause.from && today <= pause.to) return { blocked: 'WITHDRAW_PAUSED', resumes: getNextDay(pause.to) }
  if (isDayFull) return { blocked: 'WITHDRAW_CHANNEL_LIMIT', resumes: computeNextWorkingNoon(today, await ctx.settings.get(withdrawHolidays)) }
  if (await hasUncredited(sql, ctx.userId)) return { blocked: 'WITHDRAW_NOT_CREDITED', resumes: null }
  return { blocked: null, resumes: null }
}

/** Twelve o'clock of the next working day, Shanghai time (product.md 2.8). */
export function computeNextWorkingNoon(today: string, holidays: readonly string[]): string {
  let day = getNextDay(today)
  while ([0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) || holidays.includes(day)) day = getNextDay(day)
  return `${day} 12:00`
}
