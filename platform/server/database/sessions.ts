import pg from 'pg'

/** SQLSTATE of a write in a session or transaction that only reads. */
export const READ_ONLY_STATE = '25006'

/** Upper bound of a session's life: one that a proxy or a balancer pinned to a former primary ends by itself. A third is added by chance. */
const MAX_LIFE_SECONDS = 15 * 60
/** A session younger than this is not replaced: the database itself only reads, and opening another would only cost time. */
const YOUNG_MS = 250

/** Seconds that the sessions of one pool live; pools do not expire together. */
export const chooseSessionSeconds = (): number => Math.ceil(MAX_LIFE_SECONDS * (1 + Math.random() / 3))

export const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === READ_ONLY_STATE

interface Guard {
  readonly openedAt: WeakMap<pg.PoolClient, number>
  /** Sessions opened before this are closed in place of being handed out. */
  staleBefore: number
}

const guards = new WeakMap<pg.Pool, Guard>()
/** Errors of sessions that were closed for it: a new session may do better. */
const repeatable = new WeakSet<object>()

/** Makes a pool close its old sessions once one of them turned out to be read-only, idle ones and those in use alike. */
export function guardSessions(pool: pg.Pool): void {
  const guard: Guard = { openedAt: new WeakMap(), staleBefore: -Infinity }
  guards.set(pool, guard)
  pool.on('connect', (client) => guard.openedAt.set(client, performance.now()))
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  pool.connect = (async () => {
    for (;;) {
      const client = await take()
      if ((guard.openedAt.get(client) ?? Infinity) >= guard.staleBefore) return client
      client.release(true)
    }
  }) as typeof pool.connect
}

/**
 * True when the session must be closed for this error: it only reads, and is old enough that a new one may write. PostgreSQL wrote nothing
 * then, so the caller may try once more (`isRepeatable`).
 */
export function isStaleSession(pool: pg.Pool, client: pg.PoolClient, error: unknown): boolean {
  const guard = guards.get(pool)
  if (!guard || !isReadOnly(error)) return false
  const openedAt = guard.openedAt.get(client) ?? Infinity
  if (performance.now() - openedAt < YOUNG_MS) return false
  // a session that was opened after another one had failed is not stale for it
  if (openedAt >= guard.staleBefore) guard.staleBefore = performance.now()
  repeatable.add(error as object)
  return true
}

export const isRepeatable = (error: unknown): boolean => typeof error === 'object' && error !== null && repeatable.has(error)
