import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { CallRow, gatewayContract } from '../../contract.ts'
import { listCalls } from '../data-usage.ts'
import type { CallDbRow } from '../data-usage.ts'

type Endpoint = (typeof gatewayContract)['calls']

export async function calls(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const from = input.day ? new Date(`${input.day}T00:00:00+08:00`) : undefined
  const rows = await listCalls(ctx.db, accountId, {
    keyId: input.keyId,
    model: input.model,
    from,
    before: from && new Date(from.getTime() + 86_400_000),
    after: input.after ? readCursor(input.after) : undefined,
    limit: input.pageSize + 1,
  })
  const shown = rows.slice(0, input.pageSize)
  const last = shown.at(-1)
  return { rowList: shown.map(callRow), next: rows.length > shown.length && last ? `${last.started_at.getTime()}_${last.call_id}` : null }
}

/** `<milliseconds>_<callId>` of the last row seen. */
function readCursor(text: string): { at: Date; callId: string } {
  const match = /^(\d{1,15})_(.{1,80})$/.exec(text)
  return match ? { at: new Date(Number(match[1])), callId: match[2]! } : fail('BAD_INPUT', { fields: ['after'] })
}

export function callRow(row: CallDbRow): CallRow {
  return {
    callId: row.call_id,
    startedAt: row.started_at.toISOString(),
    model: row.model,
    vendor: row.vendor,
    keyId: row.key_id,
    keyName: row.key_name,
    status: row.status,
    outcome: row.outcome,
    provenance: row.provenance,
    inputTokens: Number(row.input_tokens),
    cachedTokens: Number(row.cached_tokens),
    outputTokens: Number(row.output_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    totalMs: row.total_ms,
    amount: usd(row.amount),
  }
}
