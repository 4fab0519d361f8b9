import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { GatewayTestCallsRow } from '../../tables.ts'

export interface TestCallRow extends Omit<GatewayTestCallsRow, 'endedAt' | 'cachedTokens' | 'mostInput'> {
  /** Maximum that it can be billed, set before it is sent. */
  readonly mostInput: bigint | null
}

export async function insertTestCall(
  sql: Sql,
  row: Pick<TestCallRow, 'testId' | 'upstreamId' | 'modelId' | 'upstreamModel' | 'dialect' | 'costBp' | 'askedBy' | 'askedAt'>,
): Promise<void> {
  await sql.query(
    'insert into gateway_test_calls (test_id, upstream_id, model_id, upstream_model, dialect, cost_bp, asked_by, asked_at) values ($1,$2,$3,$4,$5,$6,$7,$8)',
    [row.testId, row.upstreamId, row.modelId, row.upstreamModel, row.dialect, row.costBp, row.askedBy, row.askedAt],
  )
}

/** Locks a waiting test call; undefined if it was started before, even by a crashed process, because it may have been sent. */
export const lockTestCall = async (sql: Sql, id: string) =>
  first(await sql.query<TestCallRow>(`select * from gateway_test_calls where test_id = $1 and state = 'waiting' for update`, [id]))

export interface TestCostBound {
  readonly input: number
  readonly output: number
  readonly cost: bigint
}

/** Marks a test call as begun: from here on it may be billed. */
export const beginTestCall = (sql: Sql, id: string, { at, most }: { readonly at: Date; readonly most: TestCostBound }) =>
  sql.query(`update gateway_test_calls set state = 'calling', called_at = $2, most_input = $3, most_output = $4, held = $5 where test_id = $1`, [
    ...[id, at, most.input, most.output, most.cost],
  ])

/** Locks test calls whose process has died, each for one sweeper. */
export const selectLostTestCalls = (sql: Sql, before: Date, limit: number) =>
  sql.query<TestCallRow>(`select * from gateway_test_calls where state = 'calling' and called_at <= $1 order by called_at limit $2 for update skip locked`, [
    before,
    limit,
  ])

export interface TestEnd {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly at: Date
  readonly status: number | null
  readonly latencyMs: number | null
  readonly answer: string
  readonly bill: TestBill | undefined
}
export interface TestBill {
  readonly input: number | bigint
  readonly cached: number
  readonly output: number | bigint
  readonly cost: bigint
}

export async function endTestCall(sql: Sql, id: string, end: TestEnd): Promise<boolean> {
  const rows = await sql.query(
    `update gateway_test_calls set state = $2, called_at = coalesce(called_at, $3), ended_at = $3, status = $4, latency_ms = $5, answer = $6,
       input_tokens = $7, cached_tokens = $8, output_tokens = $9, cost = $10
    where test_id = $1 and state in ('waiting', 'calling') returning 1`,
    [
      ...[id, end.state, end.at, end.status, end.latencyMs, end.answer],
      ...[end.bill?.input ?? null, end.bill?.cached ?? null, end.bill?.output ?? null, end.bill?.cost ?? null],
    ],
  )
  return rows.length === 1
}

/** Latest test call of each upstream. */
export const selectLastTestCalls = (sql: Sql) =>
  sql.query<TestCallRow>(
    `select t.* from (select distinct upstream_id from gateway_test_calls) u
      cross join lateral (select * from gateway_test_calls c where c.upstream_id = u.upstream_id order by asked_at desc, test_id desc limit 3) t
    order by t.asked_at desc, t.test_id desc`,
  )
