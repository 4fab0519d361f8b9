import pg from 'pg'
import { createSettings } from '#platform/server/settings.ts'
import type { Settings } from '#platform/server/settings.ts'
import type { Sql } from '#platform/server/database/db.ts'

const WRITES = /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+settings\b/i
/** One count a process, whichever file loaded this module. */
const AT = Symbol.for('settings written by this process')
const counted = globalThis as { [AT]?: { times: number } }

/** Counts what this process writes into settings, of any database: as it is asked for and, since it may be in a transaction, whenever that connection falls silent. */
function written(): { readonly times: number } {
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
 * Settings as a test's app reads them: never older than what this process wrote, and read anew only then. A call reads a dozen of them, and a
 * suite makes a hundred thousand calls.
 */
export function settingsOfTests(sql: Sql): Settings {
  const count = written()
  const fresh = () => ({ at: count.times, settings: createSettings(sql, Infinity) })
  let kept = fresh()
  const now = () => (kept.at === count.times ? kept : (kept = fresh())).settings
  return { get: (entry) => now().get(entry), set: (tx, entry, value) => now().set(tx, entry, value) }
}
