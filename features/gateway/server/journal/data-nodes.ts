import type { Sql } from '#platform/server/database/db.ts'

export const addNode = (sql: Sql, node: string) =>
  sql.query('insert into gateway_nodes (node) values ($1) on conflict (node) do update set beat_at = now()', [node])
/** False when the node was declared dead. */
export const beat = async (sql: Sql, node: string) =>
  (await sql.query('update gateway_nodes set beat_at = now() where node = $1 returning 1 as alive', [node], 'gateway_beat')).length > 0
export const removeNode = (sql: Sql, node: string) => sql.query('delete from gateway_nodes where node = $1', [node])
