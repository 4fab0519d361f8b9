import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { gatewayContract } from '../../contract.ts'
import { usageDays, usageTotals } from '../data-usage.ts'

type Endpoint = (typeof gatewayContract)['usage']

/** Use by day and model, from the day sums: the same cost however many calls there were. */
export async function usage(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const { pageNum, pageSize, keyId } = input
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const monthStart = `${shanghaiDay(ctx.clock.now()).slice(0, 7)}-01`
  const [from, before] = input.mode === 'current' ? [monthStart, '9999-12-31'] : ['2000-01-01', monthStart]
  const totals = await usageTotals(ctx.db, accountId, keyId, from, before)
  const rows = await usageDays(ctx.db, accountId, keyId, from, before, pageSize, (pageNum - 1) * pageSize)
  const totalRecord = Number(totals.rows)
  return {
    rowList: rows.map((row) => ({
      statDate: row.day,
      modelValue: row.model,
      vendor: row.vendor,
      callNum: Number(row.calls),
      totalTokens: Number(row.tokens),
      consumeAmount: usd(row.amount),
    })),
    pageNum,
    pageSize,
    totalRecord,
    totalPage: Math.ceil(totalRecord / pageSize),
    callNum: Number(totals.calls),
    totalTokens: Number(totals.tokens),
    consumeAmount: usd(totals.amount),
    updatedAt: ctx.clock.now().toISOString(),
  }
}
