import type { Db, Sql } from '#platform/server/database/db.ts'
import type { QuotaRequest } from '../hot/deps.ts'
import { toNumberArrayLiteral, toTextArrayLiteral } from '#platform/server/database/array-literals.ts'

/** Counts keys in PostgreSQL (`gateway_take`). */

export interface TakeRow {
  readonly n: number
  readonly verdict: 'taken' | 'requests' | 'tokens' | 'concurrency' | 'day' | 'month'
  readonly bound: bigint | null
  readonly used: bigint | null
  readonly retryMs: bigint | null
  readonly second: bigint
  readonly requestsLimit: bigint | null
  readonly requestsLeft: bigint | null
  readonly requestsResetMs: bigint | null
  readonly tokensLimit: bigint | null
  readonly tokensLeft: bigint | null
  readonly tokensResetMs: bigint | null
}

/** Takes places for all waiting calls in one round trip and one commit; `n` counts from one, in the order of the list. */
export const takeCalls = (sql: Pick<Sql, 'query'>, node: string, asks: readonly QuotaRequest[]) =>
  sql.query<TakeRow>(
    'select * from gateway_take($1, $2, $3, $4, $5, $6)',
    [
      node,
      toTextArrayLiteral(asks.map((ask) => ask.callId)),
      toTextArrayLiteral(asks.map((ask) => ask.key.keyId)),
      toNumberArrayLiteral(asks.map((ask) => ask.held)),
      toNumberArrayLiteral(asks.map((ask) => Math.ceil(ask.tokens))),
      toNumberArrayLiteral(asks.map((ask) => Math.floor(ask.startedAt))),
    ],
    'gateway_take',
  )

/** Returns the verdict on one call and undoes it at once. */
export async function probeTake(db: Db, node: string, ask: QuotaRequest): Promise<TakeRow> {
  const client = await db.pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const sql: Pick<Sql, 'query'> = {
      query: async <R>(text: string, values?: readonly unknown[]) => (await client.query(text, values as unknown[])).rows as R[],
    }
    return (await takeCalls(sql, node, [ask]))[0]!
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error
    })
    client.release(broken)
  }
}

export interface EndedCall {
  readonly callId: string
  readonly tokens: number
}
export const endTakes = (sql: Sql, ended: readonly EndedCall[]) =>
  sql.query(
    'select gateway_end_takes($1, $2)',
    [toTextArrayLiteral(ended.map((one) => one.callId)), toNumberArrayLiteral(ended.map((one) => Math.max(0, Math.round(one.tokens))))],
    'gateway_end_takes',
  )

/** Renews these places; returns those that still existed. */
export async function renewTakes(sql: Sql, callIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ callId: string }>(
    'update gateway_takes set taken_at = now() where call_id = any($1) returning call_id',
    [toTextArrayLiteral(callIds)],
    'gateway_keep_takes',
  )
  return new Set(rows.map((row) => row.callId))
}

/** Longer than any gap between taking or renewing a place and writing the row of the open call. */
const STRAY_INTERVAL = `interval '10 minutes'`

/**
 * Releases the places of dead processes after their calls have ended: a call that is still open keeps its place. Also releases places that
 * a living process lost, and returns their number.
 */
export async function sweepTakes(sql: Sql, deadMs: number): Promise<{ dead: number; strays: number }> {
  const rows = await sql.query<{ dead: boolean }>(
    `delete from gateway_takes t using (
     select t.call_id, n.node is null as dead from gateway_takes t
       left join gateway_nodes n on n.node = t.node and n.beat_at > now() - $1::int * interval '1 millisecond'
       where (n.node is null or t.taken_at < now() - ${STRAY_INTERVAL}) and t.taken_at < now() - $1::int * interval '1 millisecond'
         and not exists (select from gateway_calls c where c.call_id = t.call_id)
       limit 5000 for update of t skip locked
   ) gone where gone.call_id = t.call_id returning gone.dead`,
    [deadMs],
  )
  const dead = rows.filter((row) => row.dead).length
  return { dead, strays: rows.length - dead }
}
