import type { Sql } from '#platform/server/db.ts'
import { atLeast, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ReservedCall, SettledCall } from '../hot/deps.ts'
import { plain, texts } from './columns.ts'
import { packLines } from './lines.ts'

/**
 * One flush, one round trip, one commit, and nothing but inserts (and the end of open rows): no flush waits for a row of another.
 * What the new usage rows come to is inserted beside them and posted soon, once for many calls (decisions 0005, 0009).
 */
const FLUSH = `select gateway_flush(${Array.from({ length: 46 }, (_, i) => `$${i + 1}`).join(',')})`

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

/**
 * `closed` are calls whose open row was written before. A call that has its usage row already breaks the whole flush (23505 on
 * gateway_usage): leave those out with `unwritten`.
 */
export async function writeFlush(
  sql: Sql,
  node: string,
  opened: readonly ReservedCall[],
  settled: readonly SettledCall[],
  closed: readonly string[],
): Promise<void> {
  const sums = sumUp(settled)
  await sql.query(
    FLUSH,
    [
      texts(pick(opened, (c) => c.callId)),
      plain(pick(opened, (c) => c.leaseId)),
      plain(pick(opened, (c) => c.accountId)),
      texts(pick(opened, (c) => c.keyId)),
      texts(pick(opened, (c) => c.userId)),
      texts(pick(opened, (c) => c.model)),
      texts(pick(opened, (c) => c.upstream)),
      plain(pick(opened, (c) => c.priceVersion)),
      plain(pick(opened, (c) => c.held)),
      plain(pick(opened, (c) => Math.floor(c.startedAt))),
      node,
      texts(pick(settled, (c) => c.callId)),
      plain(pick(settled, (c) => c.leaseId)),
      plain(pick(settled, (c) => c.accountId)),
      texts(pick(settled, (c) => c.keyId)),
      texts(pick(settled, (c) => c.userId)),
      texts(pick(settled, (c) => c.model)),
      texts(pick(settled, (c) => c.upstream)),
      plain(pick(settled, (c) => c.priceVersion)),
      plain(pick(settled, (c) => Math.floor(c.startedAt))),
      texts(pick(settled, (c) => c.dialect)),
      plain(pick(settled, (c) => c.stream)),
      plain(pick(settled, (c) => c.status)),
      texts(pick(settled, (c) => c.outcome)),
      texts(pick(settled, (c) => c.provenance)),
      plain(pick(settled, (c) => c.amount)),
      plain(pick(settled, (c) => c.inputTokens)),
      plain(pick(settled, (c) => c.cachedTokens)),
      plain(pick(settled, (c) => c.outputTokens)),
      plain(pick(settled, (c) => c.reasoningTokens)),
      texts(pick(settled, (c) => packLines(c.lines))),
      texts(pick(settled, (c) => c.requestId)),
      texts(pick(settled, (c) => c.upstreamRequestId)),
      plain(pick(settled, (c) => Math.round(c.firstByteMs))),
      plain(pick(settled, (c) => Math.round(c.totalMs))),
      plain(pick(sums, (u) => u.leaseId)),
      plain(pick(sums, (u) => u.accountId)),
      texts(pick(sums, (u) => u.hour)),
      texts(pick(sums, (u) => u.model)),
      texts(pick(sums, (u) => u.keyId)),
      plain(pick(sums, (u) => u.calls)),
      plain(pick(sums, (u) => u.tokens)),
      plain(pick(sums, (u) => u.amount)),
      plain(pick(sums, (u) => u.failed)),
      plain(pick(sums, (u) => u.largest)),
      texts(closed),
    ],
    'gateway_flush',
  )
}

interface Sum {
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly hour: string
  readonly model: string
  readonly keyId: string
  calls: number
  tokens: number
  amount: Nano
  failed: number
  largest: Nano
}

/** What the calls come to by lease, hour, model and key. */
function sumUp(calls: readonly SettledCall[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const call of calls) {
    const hour = hourOf(call.startedAt)
    const { leaseId, accountId, model, keyId, amount } = call
    const name = `${leaseId} ${hour} ${keyId} ${model}`
    const tokens = call.inputTokens + call.outputTokens
    const failed = call.outcome === 'completed' ? 0 : 1
    const sum = sums.get(name)
    if (sum === undefined) sums.set(name, { leaseId, accountId, hour, model, keyId, calls: 1, tokens, amount, failed, largest: amount })
    else {
      sum.calls++
      sum.tokens += tokens
      sum.amount = plus(sum.amount, amount)
      sum.failed += failed
      sum.largest = atLeast(sum.largest, amount)
    }
  }
  return [...sums.values()]
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
