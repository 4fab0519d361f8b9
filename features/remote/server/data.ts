import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { selectTasks } from '#features/services/server/door.ts'
import type { RemoteNodesRow } from './tables.ts'

export type RemoteNode = Pick<RemoteNodesRow, 'id' | 'url' | 'places' | 'refusal'>

/** Records a node as seen now; tests may set a time ahead. */
export async function upsertRemoteNode(sql: Sql, node: { id: string; url: string; places: number; refusal: string }, aheadMinutes = 0): Promise<void> {
  await sql.query(
    `insert into remote_nodes (id, url, places, refusal, seen_at) values ($1,$2,$3,$4, clock_timestamp() + make_interval(mins => $5))
    on conflict (id) do update set url = excluded.url, places = excluded.places, refusal = excluded.refusal, seen_at = excluded.seen_at`,
    [node.id, node.url, node.places, node.refusal, aheadMinutes],
  )
}

export async function deleteRemoteNode(sql: Sql, id: string): Promise<void> {
  await sql.query(`delete from remote_nodes where id = $1 or seen_at < clock_timestamp() - interval '1 day'`, [id])
}

/** A node is alive if it was seen in the last 15 seconds. */
const IS_ALIVE = `seen_at > clock_timestamp() - interval '15 seconds'`

/** Lists live nodes. Crashed ones stay in the table for a day. */
export async function listRemoteNodes(sql: Sql): Promise<RemoteNode[]> {
  return sql.query<RemoteNode>(`select id, url, places, refusal from remote_nodes where ${IS_ALIVE} order by id`)
}

/** Finds a live node; undefined if there is none. */
export async function findRemoteNode(sql: Sql, id: string): Promise<RemoteNode | undefined> {
  return first(await sql.query<RemoteNode>(`select id, url, places, refusal from remote_nodes where id = $1 and ${IS_ALIVE}`, [id]))
}

/** True if the user has another live session. Takes an advisory lock, so that two concurrent starts run one after the other. */
export async function hasOtherRemoteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('remote.begin:' || $1, 0))`, [userId])
  const live = await selectTasks(tx, { userId, service: 'remote', phases: ['waiting', 'using'], limit: 20 })
  return live.some((task) => task.product === 'session' && task.id !== id)
}
