import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { SettledCall } from '../../hot/deps.ts'
import { toNumberArrayLiteral, toTextArrayLiteral } from '#platform/server/database/array-literals.ts'
import type { GatewayUsageRow } from '../../tables.ts'
import { hashVendorId } from '../data-made.ts'
import { toPackedNumbers } from '../lines.ts'

/** A call's usage row, by its key. */
export type UsageRowRef = Pick<GatewayUsageRow, 'accountId' | 'callId' | 'startedAt'>

/** Source of the figure: the process that ran the call, a vendor lookup, or an operator. */
export type CorrectionCause = 'node' | 'vendor' | 'operator'

/** Fields of a usage row that a real figure replaces; absent ones are kept. */
export type CorrectedFigures = Partial<
  Pick<
    SettledCall,
    | 'upstream'
    | 'dialect'
    | 'stream'
    | 'status'
    | 'outcome'
    | 'provenance'
    | 'amount'
    | 'lines'
    | 'inputTokens'
    | 'cachedTokens'
    | 'outputTokens'
    | 'reasoningTokens'
    | 'requestId'
    | 'upstreamRequestId'
    | 'firstByteMs'
    | 'totalMs'
  >
>

export interface Correction extends UsageRowRef {
  readonly figures: CorrectedFigures
}
export interface CorrectionResult {
  readonly callId: string
  /** `kept`: the existing figure is final or as good. `unknown`: the row does not exist. */
  readonly outcome: 'corrected' | 'equal' | 'kept' | 'unknown'
  readonly difference: Nano
}

/**
 * Replaces the charges of calls by real figures, in one transaction; each posts its difference once. Locks accounts in order to avoid
 * deadlocks.
 */
export async function correctCalls(
  sql: Sql,
  cause: CorrectionCause,
  { by, corrections }: { readonly by: string; readonly corrections: readonly Correction[] },
): Promise<CorrectionResult[]> {
  const sorted = corrections.toSorted((a, b) => (a.accountId === b.accountId ? (a.callId < b.callId ? -1 : 1) : a.accountId < b.accountId ? -1 : 1))
  return sql.query<CorrectionResult>(
    `select c.call_id, r.outcome, r.difference from unnest($1::bigint[], $2::text[], $3::float8[], $4::text[]) with ordinality as c (account_id, call_id, started, figures, n)
       cross join lateral gateway_correct(c.account_id, c.call_id, to_timestamp(c.started / 1000.0), $5, $6, c.figures::jsonb) r order by c.n`,
    [
      toNumberArrayLiteral(sorted.map((one) => one.accountId)),
      toTextArrayLiteral(sorted.map((one) => one.callId)),
      toNumberArrayLiteral(sorted.map((one) => one.startedAt.getTime())),
      toTextArrayLiteral(sorted.map((one) => serializeFigures(one.figures))),
      cause,
      by,
    ],
    'gateway_correct',
  )
}

function serializeFigures(figures: CorrectedFigures): string {
  const columns = {
    ...{ upstream: figures.upstream, dialect: figures.dialect, stream: figures.stream, status: figures.status, outcome: figures.outcome },
    ...{ provenance: figures.provenance, amount: figures.amount?.toString(), lines: figures.lines && toPackedNumbers(figures.lines) },
    ...{
      input_tokens: figures.inputTokens,
      cached_tokens: figures.cachedTokens,
      output_tokens: figures.outputTokens,
      reasoning_tokens: figures.reasoningTokens,
    },
    ...{ request_id: figures.requestId, upstream_request_id: figures.upstreamRequestId },
    first_byte_ms: figures.firstByteMs === undefined ? undefined : Math.round(figures.firstByteMs),
    total_ms: figures.totalMs === undefined ? undefined : Math.round(figures.totalMs),
  }
  return JSON.stringify(columns)
}

/** Returns those calls that a sweeper ended: their own figure may still replace its row. */
export async function selectSweptCallIds(sql: Sql, calls: readonly SettledCall[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ callId: string }>(
    `select s.call_id from unnest($1::bigint[], $2::text[]) as c (account_id, call_id)
       cross join lateral (select s.call_id from gateway_swept s where s.account_id = c.account_id and s.call_id = c.call_id offset 0) s`,
    [toNumberArrayLiteral(calls.map((call) => call.accountId)), toTextArrayLiteral(calls.map((call) => call.callId))],
    'gateway_swept_among',
  )
  return new Set(rows.map((row) => row.callId))
}

/** Stores the ids of vendor objects for answers whose rows were written by a sweeper without them. */
export async function insertVendorIds(sql: Sql, calls: readonly SettledCall[]): Promise<void> {
  const made = calls.flatMap((call) => (call.madeIds ?? []).map((id) => ({ id: hashVendorId(id), accountId: call.accountId })))
  if (!made.length) return
  await sql.query('insert into gateway_made_ids (id, account_id) select * from unnest($1::uuid[], $2::bigint[])', [
    toTextArrayLiteral(made.map(({ id }) => id)),
    toNumberArrayLiteral(made.map(({ accountId }) => accountId)),
  ])
}

/** Basis on which a sweeper ended a call. */
export type SweepBasis = 'vendor' | 'none' | 'hold'

export interface SweptCall extends UsageRowRef {
  readonly leaseId: bigint
  readonly node: string
  readonly basis: SweepBasis
  readonly amount: Nano
}
export const insertSweptCalls = (sql: Sql, calls: readonly SweptCall[]) =>
  sql.query(
    `insert into gateway_swept (account_id, call_id, started_at, lease_id, node, basis, amount)
     select account_id, call_id, to_timestamp(started / 1000.0), lease_id, node, basis, amount
     from unnest($1::bigint[], $2::text[], $3::float8[], $4::bigint[], $5::text[], $6::text[], $7::bigint[]) as s (account_id, call_id, started, lease_id, node, basis, amount)`,
    [
      toNumberArrayLiteral(calls.map((call) => call.accountId)),
      toTextArrayLiteral(calls.map((call) => call.callId)),
      toNumberArrayLiteral(calls.map((call) => call.startedAt.getTime())),
      toNumberArrayLiteral(calls.map((call) => call.leaseId)),
      toTextArrayLiteral(calls.map((call) => call.node)),
      toTextArrayLiteral(calls.map((call) => call.basis)),
      toNumberArrayLiteral(calls.map((call) => call.amount)),
    ],
  )

/** Charge history of a call beside its row, for its receipt. */
export interface CallHistory {
  readonly provisional: boolean
  readonly corrections: readonly { readonly at: Date; readonly cause: CorrectionCause; readonly before: Nano; readonly after: Nano }[]
}
export async function selectCallHistory(sql: Sql, accountId: bigint, callId: string): Promise<CallHistory> {
  const [rows, open] = await Promise.all([
    sql.query<{ at: Date; cause: CorrectionCause; amountBefore: bigint; amountAfter: bigint }>(
      'select at, cause, amount_before, amount_after from gateway_corrections where account_id = $1 and call_id = $2 order by no',
      [accountId, callId],
    ),
    sql.query(`select 1 from gateway_swept where account_id = $1 and call_id = $2 and basis = 'hold' and resolved_at is null`, [accountId, callId]),
  ])
  return {
    provisional: open.length > 0,
    corrections: rows.map(({ at, cause, amountBefore: before, amountAfter: after }) => ({ at, cause, before, after })),
  }
}
