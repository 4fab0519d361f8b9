import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { RequestRow, requestsContract } from '../../contract-requests.ts'
import { toCallFilter, findMeasured } from '../usage/list-calls.ts'
import { selectCall, type CallFilter, type Cursor, type CallDbRow } from '../usage/data-calls.ts'
import { listRefused, selectRefused, type RefusedRow } from './data-refused.ts'
import { searchCalls } from '../usage/search-calls.ts'
import { formatUsd } from '#platform/shared/money.ts'

function toCallRequestRow(row: CallDbRow): RequestRow {
  return {
    id: row.callId,
    requestId: row.requestId,
    startedAt: row.startedAt.toISOString(),
    state: row.outcome,
    status: row.status,
    model: row.model,
    askedModel: row.askedModel || null,
    vendor: row.vendor,
    keyId: row.keyId,
    keyName: row.keyName,
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    measured: findMeasured(row.lines),
    firstByteMs: row.firstByteMs,
    totalMs: row.totalMs,
    amount: formatUsd(row.amount),
    cause: null,
  }
}

export function toRefusedRequestRow(row: RefusedRow): RequestRow {
  return {
    id: row.id,
    requestId: row.id.replace(/^ref_/, 'req_'),
    startedAt: row.at.toISOString(),
    state: 'refused',
    status: row.status,
    model: row.model,
    askedModel: row.asked === '' || row.asked === row.model ? null : row.asked,
    vendor: row.vendor,
    keyId: row.keyId,
    keyName: row.keyName,
    inputTokens: 0,
    outputTokens: 0,
    measured: null,
    firstByteMs: row.totalMs,
    totalMs: row.totalMs,
    amount: '0',
    cause: row.cause,
  }
}

type Endpoint = (typeof requestsContract)['requests']

/** Returns a page of all calls, newest first: billed and refused ones, each read by its own key and merged by time. */
export async function requests(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  if (input.find) return findById(ctx, accountId, input.find)
  const outcome = input.state === 'refused' ? undefined : input.state
  const filter = toCallFilter(accountId, { ...input, outcome }, ctx.clock.now())
  const cursor = input.after ? readCursor(input.after) : undefined
  const { rows, stopped } = await mergeRequests(ctx, filter, { state: input.state, cursor, limit: input.pageSize + 1 })
  const more = rows.length > input.pageSize
  const page = rows.slice(0, input.pageSize)
  const oldest = page.at(-1)
  const next = more && oldest ? { at: new Date(oldest.startedAt), callId: oldest.id } : stopped
  return { rowList: page, next: next ? `${next.at.getTime()}_${next.callId}` : null, searchedTo: !more && stopped ? stopped.at.toISOString() : null }
}

interface MergedPage {
  readonly rows: readonly RequestRow[]
  readonly stopped: Cursor | undefined
}

/** Merges billed and refused calls. If the search for billed calls stopped early, refused ones beyond that point wait for the next page. */
async function mergeRequests(
  ctx: Ctx,
  filter: CallFilter,
  { state, cursor, limit }: { readonly state: RequestRow['state'] | undefined; readonly cursor: Cursor | undefined; readonly limit: number },
): Promise<MergedPage> {
  const wantsBilled = state !== 'refused'
  const wantsRefused = (state === undefined || state === 'refused') && !filter.least
  const [billed, refused] = await Promise.all([
    wantsBilled ? searchCalls(ctx.db, filter, { cursor, direction: 'older', limit }) : { rows: [], stopped: undefined },
    wantsRefused ? listRefused(ctx.db, filter, { cursor, limit }) : [],
  ])
  const all = [...billed.rows.map(toCallRequestRow), ...refused.map(toRefusedRequestRow)].toSorted(compareNewestFirst)
  const { stopped } = billed
  if (stopped === undefined || billed.rows.length >= limit) return { rows: all.slice(0, limit), stopped: undefined }
  const edge = stopped.at.getTime()
  const reached = all.filter((row) => Date.parse(row.startedAt) >= edge)
  return { rows: reached.slice(0, limit), stopped: reached.length >= limit ? undefined : stopped }
}

/** Compares by time, newest first; within a millisecond by id. */
function compareNewestFirst(a: RequestRow, b: RequestRow): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? 1 : -1
  return a.id < b.id ? 1 : -1
}

/** Finds a call by any kind of id: requests, calls and refusals share their 24 characters. */
async function findById(ctx: Ctx, accountId: bigint, text: string): Promise<ReplyOf<Endpoint>> {
  const key24 = /^(?:(?:req|call|ref)_)?([0-9a-f]{24})$/.exec(text)?.[1]
  const none = { next: null, searchedTo: null }
  if (key24 === undefined) {
    const billed = /^call_/.test(text) ? await selectCall(ctx.db, accountId, text) : undefined
    return { ...none, rowList: billed ? [toCallRequestRow(billed)] : [] }
  }
  const [billed, refused] = await Promise.all([selectCall(ctx.db, accountId, `call_${key24}`), selectRefused(ctx.db, accountId, `ref_${key24}`)])
  return { ...none, rowList: [...(billed ? [toCallRequestRow(billed)] : []), ...(refused ? [toRefusedRequestRow(refused)] : [])] }
}

/** `<milliseconds>_<id>`. */
function readCursor(text: string): Cursor {
  const match = /^(\d{1,14})_(.{0,80})$/.exec(text)
  return match ? { at: new Date(Number(match[1])), callId: match[2]! } : fail('BAD_INPUT', { fields: ['after'] })
}
