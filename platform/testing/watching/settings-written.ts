import pg from 'pg'
import { createSettings } from '#platform/server/settings.ts'
import type { Settings } from '#platform/server/settings.ts'
import type { Sql } from '#platform/server/database/db.ts'

const WRITES = /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+settings\b/i
/** One counter per process, however often this module is loaded. */
const AT = Symbol.for('settings written by this process')
const counted = globalThis as { [AT]?: { times: number } }

/**
 * Counts this process's writes to settings in any database: once when issued and again when that connection becomes idle, since the write
 * may be in a transaction.
 */
function countSettingsWrites(): { readonly times: number } {
  const known = counted[AT]
  if (known) return known
  const count = (counted[AT] = { times: 0 })
  const writers = new WeakSet<pg.Client>()
  const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { readonly text?: string }]
    if (!writers.has(this) && WRITES.test(typeof asked === 'string' ? asked : (asked.text ?? ''))) {
      writers.add(this)
      this.on('drain', () => count.times++)
      count.times++
    }
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query
  return count
}

/**
 * Settings cache of a test's app: invalidated by every write of this process, and only then. A call reads a dozen settings, and a suite makes a
 * hundred thousand calls.
 */
export function createTestSettings(sql: Sql): Settings {
  const count = countSettingsWrites()
  const fresh = () => ({ at: count.times, settings: createSettings(sql, Infinity) })
  let kept = fresh()
  const now = () => (kept.at === count.times ? kept : (kept = fresh())).settings
  return { get: (entry) => now().get(entry), set: (tx, entry, value) => now().set(tx, entry, value) }
}
