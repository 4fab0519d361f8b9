import type { z } from 'zod'
import type { Sql } from './database/db.ts'
import type { Tx } from './database/transact.ts'
import { fail } from '#platform/shared/errors.ts'

/** A value that operators change at run time: its type, default and description. */
export interface Setting<T = unknown> {
  readonly key: string
  readonly schema: z.ZodType<T>
  readonly fallback: T
  readonly about: string
}

export function setting<T>(key: string, schema: z.ZodType<T>, { fallback, about }: { readonly fallback: NoInfer<T>; readonly about: string }): Setting<T> {
  return { key, schema, fallback, about }
}

export interface Settings {
  /** Current value; up to `staleMs` old in processes other than the one that changed it. */
  get<T>(setting: Setting<T>): Promise<T>
  /** Changes a value in the caller's transaction, with its audit row. */
  set<T>(tx: Tx, setting: Setting<T>, value: T): Promise<void>
}

/** Reads all rows at once and caches them for `staleMs` (2 s): one small query, whatever the number of readers. */
export function createSettings(sql: Sql, staleMs = 2000): Settings {
  let rows: Promise<Map<string, unknown>> | undefined
  // Uses the monotonic clock: setting the system time back would keep old values.
  let readAt = 0
  const load = async () => new Map((await sql.query<{ key: string; value: unknown }>('select key, value from settings')).map((row) => [row.key, row.value]))
  return {
    get: async (entry) => {
      if (!rows || performance.now() - readAt > staleMs) {
        readAt = performance.now()
        rows = load()
        rows.catch(() => {
          rows = undefined
        })
      }
      const stored = entry.schema.safeParse((await rows).get(entry.key))
      return stored.success ? stored.data : entry.fallback
    },
    set: async (tx, entry, value) => {
      if (!entry.schema.safeParse(value).success) fail('BAD_INPUT', { field: entry.key })
      await tx.query(
        `insert into settings (key, value, updated_by) values ($1,$2,$3)
        on conflict (key) do update set value = excluded.value, updated_at = now(), updated_by = excluded.updated_by`,
        [entry.key, JSON.stringify(value), `${tx.actor.kind}:${tx.actor.id}`],
      )
      await tx.audit('setting.changed', entry.key, { value })
      tx.afterCommit(() => {
        rows = undefined
      })
    },
  }
}
