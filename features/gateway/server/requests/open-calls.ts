import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { resolveRequestedDays } from '../usage/usage-summary.ts'
import { selectOpenCalls } from './data-requests.ts'

type Endpoint = (typeof requestsContract)['openCalls']
const MAX_OPEN_CALLS = 100

/** Open calls, with the money set aside for them. */
export async function openCalls(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const rows = await selectOpenCalls(
    ctx.db,
    { accountId, keyId: input.keyId, model: input.model, ...resolveRequestedDays(input, ctx.clock.now()) },
    MAX_OPEN_CALLS,
  )
  return {
    rowList: rows.map((row) => ({
      id: row.callId,
      startedAt: row.startedAt.toISOString(),
      model: row.model,
      askedModel: row.askedModel || null,
      vendor: row.vendor,
      keyId: row.keyId,
      keyName: row.keyName,
      apiToken: maskKeySecret(row.last4),
      held: formatUsd(row.held),
    })),
    count: Number(rows[0]?.count ?? 0),
    held: formatUsd(rows[0]?.heldSum ?? 0n),
    now: (rows[0]?.now ?? ctx.clock.now()).toISOString(),
  }
}
