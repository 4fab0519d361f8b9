import type { Sql } from '#platform/server/database/db.ts'
import { inactiveAmong } from '#features/account/server/door.ts'
import { keysByHash } from './data.ts'
import type { ApiKey } from '../hot/deps.ts'

/**
 * Keys by hex hash whose users may act. The users are read after the keys, and a freeze tells every process (`account_status`), so
 * no key slips in between.
 */
export async function liveKeys(sql: Sql, hashes: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> {
  const keys = await keysByHash(sql, hashes)
  if (!keys.size) return keys
  const inactive = await inactiveAmong(sql, [...new Set([...keys.values()].map((key) => key.userId))])
  if (inactive.size) for (const [hash, key] of keys) if (inactive.has(key.userId)) keys.delete(hash)
  return keys
}
