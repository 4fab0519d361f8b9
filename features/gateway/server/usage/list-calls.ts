import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd, parseUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { CallSummary, usageContract, CallFilterInput } from '../../contract-usage.ts'
import { type CallDbRow, type Cursor, type CallFilter, selectCall } from './data-calls.ts'
import { unpackLines } from '../journal/lines.ts'
import { searchCalls } from './search-calls.ts'
import { getDayAfter, resolveRequestedDays, toShanghaiMidnight } from './usage-summary.ts'
import { selectCallHistory } from '../journal/corrections/data-corrections.ts'
import { selectFailedTries } from '../journal/writing/data-failed.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { formatPercentShare } from '../terms/percent.ts'

/** Converts a caller's filter into a row filter, always within one account. */
export function toCallFilter(accountId: bigint, input: CallFilterInput, now: Date): CallFilter {
  const days = input.from && input.to ? resolveRequestedDays(input, now) : undefined
  const from = days?.from ?? input.from
  const before = days?.before ?? (input.to && getDayAfter(input.to))
  return {
    accountId,
    ...pick(input, 'keyId', 'model', 'outcome', 'status'),
    least: input.minAmount === undefined ? undefined : parseUsd(input.minAmount),
    most: input.maxAmount === undefined ? undefined : parseUsd(input.maxAmount),
    from: from ? toShanghaiMidnight(from) : undefined,
    before: before ? toShanghaiMidnight(before) : undefined,
  }
}

type Endpoint = (typeof usageContract)['calls']

/** Returns a page of calls, newest first in either direction of paging. */
export async function calls(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const filter = toCallFilter(accountId, input.day ? { ...input, from: input.day, to: input.day } : input, ctx.clock.now())
  const direction = input.before ? 'newer' : 'older'
  const cursor = input.before ? readCursor(input.before, 'before') : input.after ? readCursor(input.after, 'after') : undefined
  const { rows, stopped } = await searchCalls(ctx.db, filter, { cursor, direction, limit: input.pageSize + 1 })
  const more = rows.length > input.pageSize
  const page = rows.slice(0, input.pageSize)
  if (direction === 'newer') page.reverse()
  const [newest, oldest] = [page[0], page.at(-1)]
  const goOn = direction === 'older' ? (more && oldest ? toCursor(oldest) : stopped) : oldest && toCursor(oldest)
  const goBack = direction === 'newer' ? (!more && stopped) || (newest ? toCursor(newest) : cursor) : newest && toCursor(newest)
  return {
    rowList: page.map(toCallSummary),
    next: goOn ? formatCursor(goOn) : null,
    previous: goBack ? formatCursor(goBack) : null,
    searchedTo: !more && stopped ? stopped.at.toISOString() : null,
  }
}

const toCursor = (row: CallDbRow): Cursor => ({ at: row.startedAt, callId: row.callId })
const formatCursor = ({ at, callId }: Cursor) => `${at.getTime()}_${callId}`

/** `<milliseconds>_<callId>`. */
function readCursor(text: string, field: string): Cursor {
  const match = /^(\d{1,14})_(.{0,80})$/.exec(text)
  return match ? { at: new Date(Number(match[1])), callId: match[2]! } : fail('BAD_INPUT', { fields: [field] })
}

/** Characters, seconds or searches by which a call was billed; null if it was tokens. */
export function findMeasured(lines: readonly string[]): CallSummary['measured'] {
  for (const { kind, tokens } of unpackLines(lines)) if (kind === 'characters' || kind === 'seconds' || kind === 'searches') return { kind, count: tokens }
  return null
}

export function toCallSummary(row: CallDbRow): CallSummary {
  return {
    callId: row.callId,
    startedAt: row.startedAt.toISOString(),
    model: row.model,
    askedModel: row.askedModel || null,
    ...pick(row, 'vendor', 'keyId', 'keyName', 'status', 'outcome', 'provenance'),
    inputTokens: Number(row.inputTokens),
    cachedTokens: Number(row.cachedTokens),
    outputTokens: Number(row.outputTokens),
    reasoningTokens: Number(row.reasoningTokens),
    measured: findMeasured(row.lines),
    totalMs: row.totalMs,
    amount: formatUsd(row.amount),
  }
}

/** Returns a call of the user as a receipt. */
export async function showCall(ctx: Ctx, input: { callId: string }): Promise<ReplyOf<(typeof usageContract)['call']>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const row = (await selectCall(ctx.db, accountId, input.callId)) ?? fail('CALL_NOT_FOUND')
  const history = await selectCallHistory(ctx.db, accountId, input.callId)
  return {
    ...toCallSummary(row),
    apiToken: maskKeySecret(row.last4),
    ...pick(row, 'dialect', 'stream', 'firstByteMs', 'requestId', 'upstreamRequestId'),
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
