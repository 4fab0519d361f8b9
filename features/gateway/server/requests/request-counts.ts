import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { resolveRequestedDays } from '../usage/usage-summary.ts'
import { countRequests } from './data-requests.ts'

type Endpoint = (typeof requestsContract)['requestCounts']

export async function requestCounts(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const { from, before } = resolveRequestedDays(input, ctx.clock.now())
  const counts = await countRequests(ctx.db, { accountId, keyId: input.keyId, model: input.model, from, before })
  const [calls, refused, underWay] = [Number(counts.calls), Number(counts.refused), Number(counts.inProgress)]
  const ended = { client_gone: Number(counts.clientGone), upstream_failed: Number(counts.upstreamFailed), upstream_cut: Number(counts.upstreamCut) }
  return {
    ...ended,
    all: calls + refused + underWay,
    completed: calls - ended.client_gone - ended.upstream_failed - ended.upstream_cut,
    refused,
    in_progress: underWay,
    kept: Number(counts.kept),
  }
}
