import type pg from 'pg'
import type { Db } from '#platform/server/database/db.ts'
import { PATIENCE_MS } from '../patience.ts'

/**
 * Closes a pool at the end of a file. A test that fails between acquiring a connection and releasing it would block the pool's end forever
 * and hide its failure. Connections still held after `patienceMs` are destroyed.
 */
export function createPoolCloser(db: Db): (patienceMs?: number) => Promise<void> {
  const held = new Set<pg.PoolClient>()
  db.pool.on('acquire', (client) => held.add(client))
  db.pool.on('release', (_error, client) => held.delete(client as pg.PoolClient))
  return async (patienceMs = PATIENCE_MS / 12) => {
    const timer = setTimeout(() => {
      for (const client of held) client.release(true)
    }, patienceMs)
    await db.close()
    clearTimeout(timer)
  }
}
