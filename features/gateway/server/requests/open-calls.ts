import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { masked } from '../keys/secret.ts'
import { daysOf } from '../usage/usage-range.ts'
import { listOpen } from './data-requests.ts'

type Endpoint = (typeof requestsContract)['openCalls']
const MOST = 100

/** Open calls, with the money set aside for them. */
export async function openCalls(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const rows = await listOpen(ctx.db, { accountId, keyId: input.keyId, model: input.model, ...daysOf(input, ctx.clock.now()) }, MOST)
  return {
    rowList: rows.map((row) => ({
      id: row.call_id,
      startedAt: row.started_at.toISOString(),
      model: row.model,
      askedModel: row.asked_model || null,
      vendor: row.vendor,
      keyId: row.key_id,
      keyName: row.key_name,
      apiToken: masked(row.last4),
      held: usd(row.held),
    })),
    count: Number(rows[0]?.count ?? 0),
    held: usd(rows[0]?.held_sum ?? 0n),
    now: (rows[0]?.now ?? ctx.clock.now()).toISOString(),
  }
}
