import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract, UsageTotals } from '../../contract-usage.ts'
import { keyOfUser } from '../keys/data.ts'
import { usageDays, usageRows, usageTotals } from './data.ts'
import type { Sums } from './data.ts'
import { dayAfter, daysOf } from './usage-range.ts'
import { refOf } from '../keys/update-key.ts'

type Endpoint = (typeof usageContract)['usage']
const BEGIN = '2020-01-01'

/** Use by day and model or key, from the sums: the same cost however many calls there were. */
export async function usage(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const now = ctx.clock.now()
  const { from, before } = rangeOf(input, now)
  const range = { accountId, keyId: await keyOf(ctx, input), model: input.model, from, before }
  const { pageNum, pageSize } = input
  const isFirst = pageNum === undefined ? !input.after : pageNum === 1
  const [page, totals] = await Promise.all([
    pageNum === undefined
      ? usageDays(ctx.db, input.after && input.after < before ? { ...range, before: input.after } : range, input.group, pageSize)
      : usageRows(ctx.db, range, input.group, { size: pageSize, offset: (pageNum - 1) * pageSize }),
    isFirst ? usageTotals(ctx.db, range) : undefined,
  ])
  return {
    ...('total' in page ? { pageNum, pageSize, totalPage: Math.ceil(page.total / pageSize), totalRecord: page.total } : {}),
    rowList: page.rows.map((row) => ({
      statDate: row.day,
      modelValue: input.group === 'model' ? row.name : '',
      vendor: row.vendor,
      keyId: input.group === 'key' ? row.name : '',
      keyName: row.key_name,
      ...sumsView(row),
    })),
    next: ('next' in page && page.next) || null,
    totals: totals ? sumsView(totals) : null,
    from,
    to: dayAfter(before, -1),
    updatedAt: now.toISOString(),
  }
}

/** Resolves a key by its secret, also after the key ended. An unknown key, or another user's, is an error: ignoring the filter would list all. */
async function keyOf(ctx: Ctx, input: InputOf<Endpoint>): Promise<string | undefined> {
  if (input.keyId !== undefined || !input.apiToken) return input.keyId
  return (await keyOfUser(ctx.db, ctx.userId, ...refOf(input))) ?? fail('KEY_NOT_FOUND')
}

function rangeOf(input: InputOf<Endpoint>, now: Date): { from: string; before: string } {
  if (input.from ?? input.to) return daysOf(input, now)
  const today = shanghaiDay(now)
  const monthStart = `${today.slice(0, 7)}-01`
  return input.mode === 'current' ? { from: monthStart, before: dayAfter(today) } : { from: BEGIN, before: monthStart }
}

export const sumsView = (row: Sums): UsageTotals => ({
  callNum: Number(row.calls),
  failNum: Number(row.failed),
  totalTokens: Number(row.tokens),
  consumeAmount: usd(row.amount),
})
