import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { selectCall } from './data-calls.ts'
import { selectCallHistory } from '../journal/corrections/data-corrections.ts'
import { selectFailedTries } from '../journal/writing/data-failed.ts'
import { unpackLines } from '../journal/lines.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { formatPercentShare } from '../terms/percent.ts'
import { toCallSummary } from './list-calls.ts'

/** Returns a call of the user as a receipt. */
export async function showCall(ctx: Ctx, input: { callId: string }): Promise<ReplyOf<(typeof usageContract)['call']>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const row = (await selectCall(ctx.db, accountId, input.callId)) ?? fail('CALL_NOT_FOUND')
  const history = await selectCallHistory(ctx.db, accountId, input.callId)
  return {
    ...toCallSummary(row),
    apiToken: maskKeySecret(row.last4),
    dialect: row.dialect,
    stream: row.stream,
    firstByteMs: row.firstByteMs,
    requestId: row.requestId,
    upstreamRequestId: row.upstreamRequestId,
    priceVersion: Number(row.priceVersion),
    priceFrom: row.priceFrom.toISOString(),
    pricePercent: row.priceShare === null ? null : formatPercentShare(row.priceShare),
    isProvisional: history.provisional,
    corrections: history.corrections.map(({ at, cause, before, after }) => ({
      at: at.toISOString(),
      cause,
      before: formatUsd(before),
      after: formatUsd(after),
    })),
    failedTries: (await selectFailedTries(ctx.db, accountId, input.callId)).map(({ status, cause, fromMs: from, ms }) => ({ status, cause, from, ms })),
    lines: unpackLines(row.lines).map((line) => ({
      kind: line.kind,
      tokens: line.tokens,
      unitPrice: formatUsd(line.unitPrice),
      amount: formatUsd(line.amount),
    })),
  }
}
