import type { Sql } from '#platform/server/database/db.ts'
import { escapeCopyField, defineCopyTarget } from '#platform/server/database/insert-rows.ts'
import type { CopyRows, CopyTarget } from '#platform/server/database/insert-rows.ts'
import { maxNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ReservedCall, SettledCall } from '../../hot/deps.ts'
import { toNumberArrayLiteral, toTextArrayLiteral } from '#platform/server/database/array-literals.ts'
import { hashVendorId } from '../data-made.ts'
import { packLines } from '../lines.ts'

const pick = <T, V>(rows: readonly T[], of: (row: T) => V): V[] => rows.map(of)

/** Selects calls that already have a usage row. */
const WRITTEN_CALLS = `select u.call_id from unnest($1::text[], $2::float8[], $3::bigint[]) as s (call_id, started, account)
  cross join lateral (select call_id from gateway_usage u
    where u.account_id = s.account and u.started_at = to_timestamp(s.started / 1000.0) and u.call_id = s.call_id offset 0) u`

/** Returns those of `calls` that are not written yet. A call written meanwhile fails the flush, which is then retried. */
export async function selectUnwrittenCalls(sql: Sql, calls: readonly SettledCall[]): Promise<SettledCall[]> {
  const rows = await sql.query<{ callId: string }>(
    WRITTEN_CALLS,
    [
      toTextArrayLiteral(pick(calls, (c) => c.callId)),
      toNumberArrayLiteral(pick(calls, (c) => Math.floor(c.startedAt))),
      toNumberArrayLiteral(pick(calls, (c) => c.accountId)),
    ],
    'gateway_known',
  )
  const known = new Set(rows.map((row) => row.callId))
  return calls.filter((call) => !known.has(call.callId))
}

/** Tables and columns of a flush, in the order in which rows give them. */
const SHARED_COLUMNS = ['call_id', 'lease_id', 'account_id', 'key_id', 'user_id', 'model', 'asked_model', 'upstream', 'price_version']
const CALLS = defineCopyTarget('gateway_calls', [...SHARED_COLUMNS, 'held', 'node', 'started_at'])
const TOKENS = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens', 'lines']
const ENDED = ['started_at', 'dialect', 'stream', 'status', 'outcome', 'provenance', 'amount']
const USAGE = defineCopyTarget('gateway_usage', [...SHARED_COLUMNS, ...ENDED, ...TOKENS, 'request_id', 'upstream_request_id', 'first_byte_ms', 'total_ms'])
const UNPOSTED = defineCopyTarget('gateway_unposted', ['lease_id', 'account_id', 'amount'])
const UNSUMMED = defineCopyTarget('gateway_unsummed', ['account_id', 'hour', 'model', 'key_id', 'calls', 'tokens', 'amount', 'failed', 'largest'])
const VENDOR_IDS = defineCopyTarget('gateway_made_ids', ['id', 'account_id'])
const FAILED = defineCopyTarget('gateway_failed_tries', ['call_id', 'account_id', 'no', 'upstream', 'status', 'cause', 'from_ms', 'ms'])
const CLOSE = { name: 'gateway_close', text: 'select gateway_close($1, $2)' }

/**
 * Writes a flush: one round trip, one commit, and only inserts (and the end of open rows), so that no flush waits for a row of another. The
 * totals of the new usage rows are inserted beside them: money by lease, to be posted soon, and sums by hour, model and key, to be added up
 * later, each once for many calls (docs/decisions/leases-and-group-commit.md, docs/decisions/usage-at-size.md). `closed` are calls whose
 * open row was written before. A call that already has a usage row fails the whole flush (23505 on gateway_usage): leave those out with
 * `unwritten`.
 */
export async function writeFlush(
  sql: Sql,
  node: string,
  { opened, settled, closed }: { readonly opened: readonly ReservedCall[]; readonly settled: readonly SettledCall[]; readonly closed: readonly SettledCall[] },
): Promise<void> {
  const rows: CopyRows[] = []
  const add = (into: CopyTarget, text: string): void => {
    if (text !== '') rows.push({ into, text })
  }
  add(
    CALLS,
    joinRows(opened, (call) => formatOpenRow(call, node)),
  )
  add(USAGE, joinRows(settled, formatUsageRow))
  add(UNPOSTED, formatChargeRows(settled))
  add(UNSUMMED, formatSumRows(sumByHour(settled)))
  add(VENDOR_IDS, formatVendorIdRows(settled))
  add(FAILED, formatFailedTryRows(settled))
  const last =
    closed.length === 0
      ? undefined
      : { ...CLOSE, values: [toNumberArrayLiteral(pick(closed, (c) => c.accountId)), toTextArrayLiteral(pick(closed, (c) => c.callId))] }
  if (rows.length > 0 || last !== undefined) await sql.insertRows(rows, last)
}

function joinRows<C>(calls: readonly C[], rowOf: (call: C) => string): string {
  let out = ''
  for (const call of calls) out += `${rowOf(call)}\n`
  return out
}

function formatOpenRow(c: ReservedCall, node: string): string {
  return `${formatSharedColumns(c)}\t${c.held}\t${escapeCopyField(node)}\t${formatTime(c.startedAt)}`
}

function formatUsageRow(c: SettledCall): string {
  return (
    `${formatSharedColumns(c)}\t${formatTime(c.startedAt)}\t${c.dialect}\t${c.stream}\t${c.status}\t${c.outcome}\t${c.provenance}\t${c.amount}\t${c.inputTokens}\t${c.cachedTokens}\t` +
    `${c.outputTokens}\t${c.reasoningTokens}\t${packLines(c.lines)}\t${escapeCopyField(c.requestId)}\t${escapeCopyField(c.upstreamRequestId)}\t${Math.round(c.firstByteMs)}\t${Math.round(c.totalMs)}`
  )
}

/** Formats the columns that open rows and usage rows share. */
function formatSharedColumns(c: ReservedCall): string {
  return `${escapeCopyField(c.callId)}\t${c.leaseId}\t${c.accountId}\t${escapeCopyField(c.keyId)}\t${escapeCopyField(c.userId)}\t${escapeCopyField(c.model)}\t${escapeCopyField(c.askedModel ?? '')}\t${escapeCopyField(c.upstream)}\t${c.priceVersion}`
}

function formatVendorIdRows(calls: readonly SettledCall[]): string {
  let out = ''
  for (const { accountId, madeIds } of calls) if (madeIds !== undefined) for (const id of madeIds) out += `${hashVendorId(id)}\t${accountId}\n`
  return out
}

function formatFailedTryRows(calls: readonly SettledCall[]): string {
  let out = ''
  for (const { callId, accountId, failed } of calls)
    if (failed !== undefined)
      for (const [no, { upstream, status, cause, from, ms }] of failed.entries())
        out += `${escapeCopyField(callId)}\t${accountId}\t${no + 1}\t${escapeCopyField(upstream)}\t${status}\t${cause}\t${Math.round(from)}\t${Math.round(ms)}\n`
  return out
}

/** Charges per lease. */
function formatChargeRows(calls: readonly SettledCall[]): string {
  const charges = new Map<bigint, { readonly accountId: bigint; amount: Nano }>()
  for (const { leaseId, accountId, amount } of calls) {
    if (amount === 0n) continue
    const charge = charges.get(leaseId)
    if (charge === undefined) charges.set(leaseId, { accountId, amount })
    else charge.amount = addNano(charge.amount, amount)
  }
  let out = ''
  for (const [leaseId, { accountId, amount }] of charges) out += `${leaseId}\t${accountId}\t${amount}\n`
  return out
}

function formatSumRows(sums: readonly HourSum[]): string {
  let out = ''
  for (const u of sums)
    out += `${u.accountId}\t${u.hour}\t${escapeCopyField(u.model)}\t${escapeCopyField(u.keyId)}\t${u.calls}\t${u.tokens}\t${u.amount}\t${u.failed}\t${u.largest}\n`
  return out
}

let lastTimeMs = Number.NaN
let lastTimeText = ''

/** Equals PostgreSQL's `to_timestamp(floor(ms) / 1000.0)`. Many calls of a flush begin in the same millisecond. */
function formatTime(ms: number): string {
  if (ms !== lastTimeMs) {
    lastTimeText = new Date(Math.floor(ms)).toISOString()
    lastTimeMs = ms
  }
  return lastTimeText
}

interface HourSum {
  readonly accountId: bigint
  readonly hour: string
  readonly model: string
  readonly keyId: string
  calls: number
  tokens: number
  amount: Nano
  failed: number
  largest: Nano
  /** Next sum of the same key, with another hour, model or account. */
  readonly next: HourSum | undefined
}

/** Sums by account, hour, model and key. Compares the parts, because a joined key would cost one more string per call. */
function sumByHour(calls: readonly SettledCall[]): HourSum[] {
  const sums: HourSum[] = []
  const byKey = new Map<string, HourSum>()
  for (const call of calls) {
    const { accountId, model, keyId, amount } = call
    const hour = formatHour(call.startedAt)
    const tokens = call.inputTokens + call.outputTokens
    const failed = call.outcome === 'completed' ? 0 : 1
    const next = byKey.get(keyId)
    let sum = next
    while (sum !== undefined && (sum.model !== model || sum.hour !== hour || sum.accountId !== accountId)) sum = sum.next
    if (sum === undefined) {
      sum = { accountId, hour, model, keyId, calls: 1, tokens, amount, failed, largest: amount, next }
      byKey.set(keyId, sum)
      sums.push(sum)
    } else {
      sum.calls++
      sum.tokens += tokens
      sum.amount = addNano(sum.amount, amount)
      sum.failed += failed
      sum.largest = maxNano(sum.largest, amount)
    }
  }
  return sums
}

const HOUR_MS = 3_600_000
const hourNames = new Map<number, string>()

/** Hour in which a call began, in the database's format. */
function formatHour(ms: number): string {
  const number = Math.floor(ms / HOUR_MS)
  let name = hourNames.get(number)
  if (name === undefined) {
    if (hourNames.size > 100) hourNames.clear()
    name = new Date(number * HOUR_MS).toISOString()
    hourNames.set(number, name)
  }
  return name
}

export const insertDeadLetter = (sql: Sql, letter: { callId: string; kind: string; reason: string; payload: string }) =>
  sql.query('insert into gateway_dead_letters (call_id, kind, reason, payload) values ($1,$2,$3,$4)', [
    letter.callId,
    letter.kind,
    letter.reason,
    letter.payload,
  ])
