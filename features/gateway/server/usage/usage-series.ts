import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { usageSeries as selectSeries } from './data.ts'
import { daysOf } from './usage-range.ts'
import { sumsView } from './list-usage.ts'

type Endpoint = (typeof usageContract)['usageSeries']
/** Days that are drawn by hour, and by day, when no step is asked for; and the most that may be asked for by hour. */
const BY_HOUR = 2
const BY_DAY = 92
const MOST_BY_HOUR = 7

export async function usageSeries(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const { from, to, before, count } = daysOf(input, ctx.clock.now())
  const step = input.step ?? (count <= BY_HOUR ? 'hour' : count <= BY_DAY ? 'day' : 'month')
  if (step === 'hour' && count > MOST_BY_HOUR) fail('BAD_INPUT', { fields: ['step'] })
  const rows = await selectSeries(ctx.db, { accountId, from, before, keyId: input.keyId, model: input.model }, step, input.group)
  return {
    from,
    to,
    step,
    points: rows.filter((row) => row.part === 'point').map((row) => ({ at: row.at!, name: row.name, ...sumsView(row) })),
    groups: rows.filter((row) => row.part === 'group').map((row) => ({ name: row.name!, label: row.label!, vendor: row.vendor!, ...sumsView(row) })),
    totals: sumsView(rows.find((row) => row.part === 'total')!),
  }
}
