import type { Sql } from '#platform/server/database/db.ts'
import { field, target } from '#platform/server/database/insert-rows.ts'
import type { Rows, Target } from '#platform/server/database/insert-rows.ts'
import { atLeast, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ReservedCall, SettledCall } from '../../hot/deps.ts'
import { plain, texts } from '#platform/server/database/array-literals.ts'
import { madeKey } from '../data-made.ts'
import { packLines } from '../lines.ts'

const pick = <T, V>(rows: readonly T[], of: (row: T) => V): V[] => rows.map(of)

/** Calls that have their usage row already. */
const KNOWN = `select u.call_id from unnest($1::text[], $2::float8[], $3::bigint[]) as s (call_id, started, account)
  cross join lateral (select call_id from gateway_usage u
    where u.account_id = s.account and u.started_at = to_timestamp(s.started / 1000.0) and u.call_id = s.call_id offset 0) u`

/** Those of `calls` that are not written yet; what is written meanwhile breaks the flush, which is then tried again. */
export async function unwritten(sql: Sql, calls: readonly SettledCall[]): Promise<SettledCall[]> {
  const rows = await sql.query<{ call_id: string }>(
    KNOWN,
    [texts(pick(calls, (c) => c.callId)), plain(pick(calls, (c) => Math.floor(c.startedAt))), plain(pick(calls, (c) => c.accountId))],
    'gateway_known',
  )
  const known = new Set(rows.map((row) => row.call_id))
  return calls.filter((call) => !known.has(call.callId))
}

/** Tables and columns of a flush, in the order in which rows give them. */
const WHO = ['call_id', 'lease_id', 'account_id', 'key_id', 'user_id', 'model', 'asked_model', 'upstream', 'price_version']
const CALLS = target('gateway_calls', [...WHO, 'held', 'node', 'started_at'])
const TOKENS = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens', 'lines']
const ENDED = ['started_at', 'dialect', 'stream', 'status', 'outcome', 'provenance', 'amount']
const USAGE = target('gateway_usage', [...WHO, ...ENDED, ...TOKENS, 'request_id', 'upstream_request_id', 'first_byte_ms', 'total_ms'])
const UNPOSTED = target('gateway_unposted', ['lease_id', 'account_id', 'amount'])
const UNSUMMED = target('gateway_unsummed', ['account_id', 'hour', 'model', 'key_id', 'calls', 'tokens', 'amount', 'failed', 'largest'])
const MADE = target('gateway_made_ids', ['id', 'account_id'])
const FAILED = target('gateway_failed_tries', ['call_id', 'account_id', 'no', 'upstream', 'status', 'cause', 'from_ms', 'ms'])
const CLOSE = { name: 'gateway_close', text: 'select gateway_close($1, $2)' }

/**
 * One flush, one round trip, one commit, and nothing but inserts (and the end of open rows): no flush waits for a row of another.
 * What the new usage rows come to is inserted beside them: their money by lease, to be posted soon, and their sums by hour, model and key, to be
 * added up later, each once for many calls (docs/decisions/leases-and-group-commit.md, docs/decisions/usage-at-size.md).
 *
 * `closed` are calls whose open row was written before. A call that has its usage row already breaks the whole flush (23505 on
 * gateway_usage): leave those out with `unwritten`.
 */
export async function writeFlush(
  sql: Sql,
  node: string,
  opened: readonly ReservedCall[],
  settled: readonly SettledCall[],
  closed: readonly SettledCall[],
): Promise<void> {
  const rows: Rows[] = []
  const add = (into: Target, text: string): void => {
    if (text !== '') rows.push({ into, text })
  }
  add(
    CALLS,
    rowsOf(opened, (call) => openRow(call, node)),
  )
  add(USAGE, rowsOf(settled, usageRow))
  add(UNPOSTED, chargeRows(settled))
  add(UNSUMMED, sumRows(sumUp(settled)))
  add(MADE, madeRows(settled))
  add(FAILED, failedRows(settled))
  const last = closed.length === 0 ? undefined : { ...CLOSE, values: [plain(pick(closed, (c) => c.accountId)), texts(pick(closed, (c) => c.callId))] }
  if (rows.length > 0 || last !== undefined) await sql.insertRows(rows, last)
}

function rowsOf<C>(calls: readonly C[], rowOf: (call: C) => string): string {
  let out = ''
  for (const call of calls) out += `${rowOf(call)}\n`
  return out
}

function openRow(c: ReservedCall, node: string): string {
  return `${who(c)}\t${c.held}\t${field(node)}\t${time(c.startedAt)}`
}

function usageRow(c: SettledCall): string {
  return (
    `${who(c)}\t${time(c.startedAt)}\t${c.dialect}\t${c.stream}\t${c.status}\t${c.outcome}\t${c.provenance}\t${c.amount}\t${c.inputTokens}\t${c.cachedTokens}\t` +
    `${c.outputTokens}\t${c.reasoningTokens}\t${packLines(c.lines)}\t${field(c.requestId)}\t${field(c.upstreamRequestId)}\t${Math.round(c.firstByteMs)}\t${Math.round(c.totalMs)}`
  )
}

/** The columns with which an open row and a usage row begin. */
function who(c: ReservedCall): string {
  return `${field(c.callId)}\t${c.leaseId}\t${c.accountId}\t${field(c.keyId)}\t${field(c.userId)}\t${field(c.model)}\t${field(c.askedModel ?? '')}\t${field(c.upstream)}\t${c.priceVersion}`
}

function madeRows(calls: readonly SettledCall[]): string {
  let out = ''
  for (const { accountId, madeIds } of calls) if (madeIds !== undefined) for (const id of madeIds) out += `${madeKey(id)}\t${accountId}\n`
  return out
}

function failedRows(calls: readonly SettledCall[]): string {
  let out = ''
  for (const { callId, accountId, failed } of calls)
    if (failed !== undefined)
      for (const [no, { upstream, status, cause, from, ms }] of failed.entries())
        out += `${field(callId)}\t${accountId}\t${no + 1}\t${field(upstream)}\t${status}\t${cause}\t${Math.round(from)}\t${Math.round(ms)}\n`
  return out
}

/** Charges per lease. */
function chargeRows(calls: readonly SettledCall[]): string {
  const charges = new Map<bigint, { readonly accountId: bigint; amount: Nano }>()
  for (const { leaseId, accountId, amount } of calls) {
    if (amount === 0n) continue
    const charge = charges.get(leaseId)
    if (charge === undefined) charges.set(leaseId, { accountId, amount })
    else charge.amount = plus(charge.amount, amount)
  }
  let out = ''
  for (const [leaseId, { accountId, amount }] of charges) out += `${leaseId}\t${accountId}\t${amount}\n`
  return out
}

function sumRows(sums: readonly Sum[]): string {
  let out = ''
  for (const u of sums)
    out += `${u.accountId}\t${u.hour}\t${field(u.model)}\t${field(u.keyId)}\t${u.calls}\t${u.tokens}\t${u.amount}\t${u.failed}\t${u.largest}\n`
  return out
}

let timed = Number.NaN
let timeText = ''

/** Equals PostgreSQL's `to_timestamp(floor(ms) / 1000.0)`. Many calls of a flush begin in the same millisecond. */
function time(ms: number): string {
  if (ms !== timed) {
    timeText = new Date(Math.floor(ms)).toISOString()
    timed = ms
  }
  return timeText
}

interface Sum {
  readonly accountId: bigint
  readonly hour: string
  readonly model: string
  readonly keyId: string
  calls: number
  tokens: number
  amount: Nano
  failed: number
  largest: Nano
  /** Of the same key, another hour, model or account. */
  readonly next: Sum | undefined
}

/** Sums by account, hour, model and key. Compares the parts: a joined key would cost one more string per call. */
function sumUp(calls: readonly SettledCall[]): Sum[] {
  const sums: Sum[] = []
  const byKey = new Map<string, Sum>()
  for (const call of calls) {
    const { accountId, model, keyId, amount } = call
    const hour = hourOf(call.startedAt)
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
      sum.amount = plus(sum.amount, amount)
      sum.failed += failed
      sum.largest = atLeast(sum.largest, amount)
    }
  }
  return sums
}

const HOUR_MS = 3_600_000
const hourNames = new Map<number, string>()

/** The hour in which a call began, as the database reads it. */
function hourOf(ms: number): string {
  const number = Math.floor(ms / HOUR_MS)
  let name = hourNames.get(number)
  if (name === undefined) {
    if (hourNames.size > 100) hourNames.clear()
    name = new Date(number * HOUR_MS).toISOString()
    hourNames.set(number, name)
  }
  return name
}

export const parkLetter = (sql: Sql, letter: { callId: string; kind: string; reason: string; payload: string }) =>
  sql.query('insert into gateway_dead_letters (call_id, kind, reason, payload) values ($1,$2,$3,$4)', [
    letter.callId,
    letter.kind,
    letter.reason,
    letter.payload,
  ])
