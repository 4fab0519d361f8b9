import type { ReplyOf } from '#platform/shared/contract.ts'
import { countDaysLeft, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { readBalance, openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { countKeys } from '../keys/data.ts'
import { selectFirstCallAt, selectVendorDays } from './data.ts'
import { fail } from '#platform/shared/errors.ts'

const DAY_MS = 86_400_000
/** Ten years: longer than any history, short enough to be drawn by month. */
const MAX_DAYS = 3660

interface RequestedDays {
  readonly from: string
  /** Included. */
  readonly to: string
  readonly before: string
  readonly count: number
}

export const getDayAfter = (day: string, days = 1) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
export const toShanghaiMidnight = (day: string) => new Date(`${day}T00:00:00+08:00`)

/** Requested days; defaults to this month up to today. */
export function resolveRequestedDays(asked: { from?: string | undefined; to?: string | undefined }, now: Date): RequestedDays {
  const today = toShanghaiDay(now)
  const to = asked.to ?? (asked.from && asked.from > today ? asked.from : today)
  const from = asked.from ?? `${to.slice(0, 7)}-01`
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count < 1 || count > MAX_DAYS) fail('BAD_INPUT', { fields: ['from', 'to'] })
  return { from, to, before: getDayAfter(to), count }
}

const DAYS = 30
const PACE_DAYS = 7

/** Returns the figures of the overview: 30 days by vendor, the pace of the last 7 days, and the first steps. */
export async function usageSummary(ctx: Ctx): Promise<ReplyOf<(typeof usageContract)['usageSummary']>> {
  const now = ctx.clock.now().getTime()
  const day = (ago: number) => toShanghaiDay(now - ago * 86_400_000)
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const [rows, balance, keys, first] = await Promise.all([
    selectVendorDays(ctx.db, accountId, day(DAYS)),
    readBalance(ctx.db, ctx.userId),
    countKeys(ctx.db, ctx.userId),
    selectFirstCallAt(ctx.db, accountId),
  ])
  const since = (from: string) => sumNano(rows.filter((row) => row.day >= from).map((row) => row.amount))
  const shown = rows.filter((row) => row.day >= day(DAYS - 1))
  const week = since(day(PACE_DAYS - 1))
  return {
    days: shown.map((row) => ({ statDate: row.day, vendor: row.vendor, callNum: Number(row.calls), consumeAmount: formatUsd(row.amount) })),
    from: day(DAYS - 1),
    to: day(0),
    callNum: shown.reduce((total, row) => total + Number(row.calls), 0),
    consumeAmount: formatUsd(sumNano(shown.map((row) => row.amount))),
    monthAmount: formatUsd(since(`${day(0).slice(0, 7)}-01`)),
    weekAmount: formatUsd(week),
    runwayDays: countDaysLeft(balance.posted, week, PACE_DAYS) ?? null,
    hasKey: keys > 0,
    hasCall: first !== undefined,
    firstCallAt: first ?? null,
  }
}
