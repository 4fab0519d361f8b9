import pg from 'pg'

/** SQLSTATE of a write in a read-only session or transaction. */
export const READ_ONLY_STATE = '25006'

/**
 * Maximum age of a session, so that one that a proxy or load balancer pinned to a former primary ends. Up to a third is added as jitter.
 */
const MAX_LIFE_SECONDS = 15 * 60
/** A session younger than this is not replaced: the database itself is read-only, and a new session would not help. */
const YOUNG_MS = 250

/** Session lifetime in seconds for one pool, with jitter so that pools do not expire together. */
export const chooseSessionSeconds = (): number => Math.ceil(MAX_LIFE_SECONDS * (1 + Math.random() / 3))

export const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === READ_ONLY_STATE

interface Guard {
  readonly openedAt: WeakMap<pg.PoolClient, number>
  /** Sessions opened before this time are closed instead of being reused. */
  staleBefore: number
}

const guards = new WeakMap<pg.Pool, Guard>()
/** Errors of sessions closed for being read-only; a retry on a new session may succeed. */
const repeatable = new WeakSet<object>()

/** Makes a pool close its old sessions, idle or in use, once one of them turns out to be read-only. */
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
 * True if the session must be closed after this error: it is read-only, and old enough that a new one may write. PostgreSQL wrote nothing,
 * so the caller may retry once (`isRepeatable`).
 */
export function isStaleSession(pool: pg.Pool, client: pg.PoolClient, error: unknown): boolean {
  const guard = guards.get(pool)
  if (!guard || !isReadOnly(error)) return false
  const openedAt = guard.openedAt.get(client) ?? Infinity
  if (performance.now() - openedAt < YOUNG_MS) return false
  // A session opened after the failed one is not stale.
  if (openedAt >= guard.staleBefore) guard.staleBefore = performance.now()
  repeatable.add(error as object)
  return true
}

export const isRepeatable = (error: unknown): boolean => typeof error === 'object' && error !== null && repeatable.has(error)
