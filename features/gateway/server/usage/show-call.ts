import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { oneCall } from './data-calls.ts'
import { historyOf } from '../journal/corrections/data-corrections.ts'
import { failedTries } from '../journal/writing/data-failed.ts'
import { unpackLines } from '../journal/lines.ts'
import { masked } from '../keys/secret.ts'
import { percentText } from '../terms/percent.ts'
import { callRow } from './list-calls.ts'

/** One call of the user's own as a receipt. */
export async function call(ctx: Ctx, input: { callId: string }): Promise<ReplyOf<(typeof usageContract)['call']>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const row = (await oneCall(ctx.db, accountId, input.callId)) ?? fail('CALL_NOT_FOUND')
  const history = await historyOf(ctx.db, accountId, input.callId)
  return {
    ...callRow(row),
    apiToken: masked(row.last4),
    dialect: row.dialect,
    stream: row.stream,
    firstByteMs: row.first_byte_ms,
    requestId: row.request_id,
    upstreamRequestId: row.upstream_request_id,
    priceVersion: Number(row.price_version),
    priceFrom: row.price_from.toISOString(),
    pricePercent: row.price_share === null ? null : percentText(row.price_share),
    isProvisional: history.provisional,
    corrections: history.corrections.map(({ at, cause, before, after }) => ({ at: at.toISOString(), cause, before: usd(before), after: usd(after) })),
    failedTries: (await failedTries(ctx.db, accountId, input.callId)).map(({ status, cause, from_ms: from, ms }) => ({ status, cause, from, ms })),
    lines: unpackLines(row.lines).map((line) => ({ kind: line.kind, tokens: line.tokens, unitPrice: usd(line.unitPrice), amount: usd(line.amount) })),
  }
}
