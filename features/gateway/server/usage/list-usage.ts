import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract, UsageTotals } from '../../contract-usage.ts'
import { selectKeyIdOfUser } from '../keys/data.ts'
import { selectUsageDays, selectUsageRows, selectUsageTotals } from './data.ts'
import type { UsageSums } from './data.ts'
import { getDayAfter, resolveRequestedDays } from './usage-summary.ts'
import { parseKeyRef } from '../keys/change-key.ts'

type Endpoint = (typeof usageContract)['usage']
const FIRST_DAY = '2020-01-01'

/** Returns use by day and model or key, from the sums: the cost does not depend on the number of calls. */
export async function usage(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const now = ctx.clock.now()
  const { from, before } = resolveRange(input, now)
  const range = { accountId, keyId: await resolveKeyId(ctx, input), model: input.model, from, before }
  const { pageNum, pageSize } = input
  const isFirst = pageNum === undefined ? !input.after : pageNum === 1
  const [page, totals] = await Promise.all([
    pageNum === undefined
      ? selectUsageDays(ctx.db, input.after && input.after < before ? { ...range, before: input.after } : range, { group: input.group, atLeast: pageSize })
      : selectUsageRows(ctx.db, range, { group: input.group, page: { size: pageSize, offset: (pageNum - 1) * pageSize } }),
    isFirst ? selectUsageTotals(ctx.db, range) : undefined,
  ])
  return {
    ...('total' in page ? { pageNum, pageSize, totalPage: Math.ceil(page.total / pageSize), totalRecord: page.total } : {}),
    rowList: page.rows.map((row) => ({
      statDate: row.day,
      modelValue: input.group === 'model' ? row.name : '',
      vendor: row.vendor,
      keyId: input.group === 'key' ? row.name : '',
      keyName: row.keyName,
      ...toUsageTotals(row),
    })),
    next: ('next' in page && page.next) || null,
    totals: totals ? toUsageTotals(totals) : null,
    from,
    to: getDayAfter(before, -1),
    updatedAt: now.toISOString(),
  }
}

/** Resolves a key by its secret, also after the key ended. An unknown key, or another user's, is an error: ignoring the filter would list all. */
async function resolveKeyId(ctx: Ctx, input: InputOf<Endpoint>): Promise<string | undefined> {
  if (input.keyId !== undefined || !input.apiToken) return input.keyId
  return (await selectKeyIdOfUser(ctx.db, ctx.userId, parseKeyRef(input))) ?? fail('KEY_NOT_FOUND')
}

function resolveRange(input: InputOf<Endpoint>, now: Date): { from: string; before: string } {
  if (input.from ?? input.to) return resolveRequestedDays(input, now)
  const today = toShanghaiDay(now)
  const monthStart = `${today.slice(0, 7)}-01`
  return input.mode === 'current' ? { from: monthStart, before: getDayAfter(today) } : { from: FIRST_DAY, before: monthStart }
}

export const toUsageTotals = (row: UsageSums): UsageTotals => ({
  callNum: Number(row.calls),
  failNum: Number(row.failed),
  totalTokens: Number(row.tokens),
  consumeAmount: formatUsd(row.amount),
})
