import type { Sql } from '#platform/server/database/db.ts'
import { selectCallFreezes } from '#features/account/server/door.ts'
import { selectKeysByHash } from './data.ts'
import { addKeyStops } from './data-limits.ts'
import type { ApiKey } from '../hot/deps.ts'

/**
 * Keys by hex hash whose users may act; marked if only the user's calls are frozen. Users are read after the keys, and a freeze
 * notifies every process (`account_status`), so no key slips in between.
 */
export async function loadLiveKeys(sql: Sql, hashes: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> {
  const keys = await selectKeysByHash(sql, hashes)
  if (!keys.size) return keys
  const frozen = await selectCallFreezes(sql, [...new Set([...keys.values()].map((key) => key.userId))])
  if (frozen.size)
    for (const [hash, key] of keys) {
      const why = frozen.get(key.userId)
      if (why === 'account') keys.delete(hash)
      if (why === 'calls') keys.set(hash, { ...key, limits: addKeyStops(key.limits, { callsFrozen: true }) })
    }
  return keys
}
