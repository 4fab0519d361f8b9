import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { selectUsageSeries as selectSeries } from './data.ts'
import { resolveRequestedDays } from './usage-summary.ts'
import { toUsageTotals } from './list-usage.ts'

type Endpoint = (typeof usageContract)['usageSeries']
/** Longest ranges drawn by hour and by day if no step is requested, and the longest that may be requested by hour. */
const HOURLY_UP_TO_DAYS = 2
const DAILY_UP_TO_DAYS = 92
const MAX_HOURLY_DAYS = 7

export async function usageSeries(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const { from, to, before, count } = resolveRequestedDays(input, ctx.clock.now())
  const step = input.step ?? (count <= HOURLY_UP_TO_DAYS ? 'hour' : count <= DAILY_UP_TO_DAYS ? 'day' : 'month')
  if (step === 'hour' && count > MAX_HOURLY_DAYS) fail('BAD_INPUT', { fields: ['step'] })
  const rows = await selectSeries(ctx.db, { accountId, from, before, keyId: input.keyId, model: input.model }, { step, group: input.group })
  return {
    from,
    to,
    step,
    points: rows.filter((row) => row.part === 'point').map((row) => ({ at: row.at!, name: row.name, ...toUsageTotals(row) })),
    groups: rows.filter((row) => row.part === 'group').map((row) => ({ name: row.name!, label: row.label!, vendor: row.vendor!, ...toUsageTotals(row) })),
    totals: toUsageTotals(rows.find((row) => row.part === 'total')!),
  }
}
