import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

export const addNode = (sql: Sql, node: string) => sql.query('insert into gateway_nodes (node) values ($1)', [node])

/** Records a heartbeat. Returns false if the node was declared dead. */
export const recordHeartbeat = async (sql: Sql, node: string) =>
  (await sql.query('update gateway_nodes set beat_at = now() where node = $1 and dead_at is null returning 1 as alive', [node], 'gateway_beat')).length > 0

/** Declares every silent node dead, by the database's clock. A dead name never sends a heartbeat again. */
export const declareDead = (sql: Sql, deadMs: number) =>
  sql.query<{ node: string }>(
    `update gateway_nodes set dead_at = now() where dead_at is null and beat_at <= now() - $1::int * interval '1 millisecond' returning node`,
    [deadMs],
  )

export interface NodeTakeover {
  readonly leases: number
  readonly calls: number
}
/** Moves the remaining leases and open calls of a dead name to the new name of the same process. Idempotent for the same names. */
export const takeOverNode = async (sql: Sql, was: string, node: string) =>
  first(await sql.query<NodeTakeover>('select leases, calls from gateway_return($1, $2)', [was, node]))!

export const removeNode = (sql: Sql, node: string) => sql.query('delete from gateway_nodes where node = $1', [node])
