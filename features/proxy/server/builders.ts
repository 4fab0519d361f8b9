import type { Sql } from '#platform/server/database/db.ts'
import { noteNode } from './data.ts'

/** A process that serves the proxy, as far as anybody who sells it knows; for so many minutes. */
export async function aProxyNode(sql: Sql, minutes = 600): Promise<void> {
  await noteNode(sql, 'node_of_a_test', 0)
  await sql.query(`update proxy_nodes set seen_at = clock_timestamp() + make_interval(mins => $1) where id = 'node_of_a_test'`, [minutes])
}
