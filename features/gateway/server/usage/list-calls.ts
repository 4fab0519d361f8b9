import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { CallRow, usageContract } from '../../contract-usage.ts'
import { filterOf } from './call-filter.ts'
import type { CallDbRow, Cursor } from './data-calls.ts'
import { unpackLines } from '../journal/lines.ts'
import { searchCalls } from './search-calls.ts'

type Endpoint = (typeof usageContract)['calls']

/** A page of calls, newest first, whichever way it was reached. */
export async function calls(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const filter = filterOf(accountId, input.day ? { ...input, from: input.day, to: input.day } : input, ctx.clock.now())
  const direction = input.before ? 'newer' : 'older'
  const cursor = input.before ? readCursor(input.before, 'before') : input.after ? readCursor(input.after, 'after') : undefined
  const { rows, stopped } = await searchCalls(ctx.db, filter, cursor, direction, input.pageSize + 1)
  const more = rows.length > input.pageSize
  const page = rows.slice(0, input.pageSize)
  if (direction === 'newer') page.reverse()
  const [newest, oldest] = [page[0], page.at(-1)]
  const goOn = direction === 'older' ? (more && oldest ? cursorOf(oldest) : stopped) : oldest && cursorOf(oldest)
  const goBack = direction === 'newer' ? (!more && stopped) || (newest ? cursorOf(newest) : cursor) : newest && cursorOf(newest)
  return {
    rowList: page.map(callRow),
    next: goOn ? written(goOn) : null,
    previous: goBack ? written(goBack) : null,
    searchedTo: !more && stopped ? stopped.at.toISOString() : null,
  }
}

const cursorOf = (row: CallDbRow): Cursor => ({ at: row.started_at, callId: row.call_id })
const written = ({ at, callId }: Cursor) => `${at.getTime()}_${callId}`

/** `<milliseconds>_<callId>`. */
function readCursor(text: string, field: string): Cursor {
  const match = /^(\d{1,14})_(.{0,80})$/.exec(text)
  return match ? { at: new Date(Number(match[1])), callId: match[2]! } : fail('BAD_INPUT', { fields: [field] })
}

/** Characters, seconds or searches that a call was billed by; null where it was tokens. */
export function measuredIn(lines: readonly string[]): CallRow['measured'] {
  for (const { kind, tokens } of unpackLines(lines)) if (kind === 'characters' || kind === 'seconds' || kind === 'searches') return { kind, count: tokens }
  return null
}

export function callRow(row: CallDbRow): CallRow {
  return {
    callId: row.call_id,
    startedAt: row.started_at.toISOString(),
    model: row.model,
    askedModel: row.asked_model || null,
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
    measured: measuredIn(row.lines),
    totalMs: row.total_ms,
    amount: usd(row.amount),
  }
}
