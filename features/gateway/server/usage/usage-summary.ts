import type { ReplyOf } from '#platform/shared/contract.ts'
import { countDaysLeft, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { readBalance, openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { countKeys } from '../keys/data.ts'
import { selectFirstCallAt, selectVendorDays } from './data.ts'

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
