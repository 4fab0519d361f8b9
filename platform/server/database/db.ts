import pg from 'pg'
import { insertRows } from './insert-rows.ts'
import type { CopyRows, PreparedStatement } from './insert-rows.ts'
import { guardSessions, isStaleSession, isRepeatable, chooseSessionSeconds } from './sessions.ts'
import type { Log } from '../log.ts'

/** int8 carries money or counts: parsed as bigint, never as a float. */
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)

export type Row = Record<string, any>

/** Runs statements: the pool or one transaction. */
export interface Sql {
  /** Runs one statement. `name` makes it a prepared statement, for hot ones. */
  query<R extends Row = Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>
  /** Inserts rows into tables, then runs `last`, together or not at all and in one round trip (insert-rows.ts). */
  insertRows(rows: readonly CopyRows[], last?: PreparedStatement): Promise<void>
}

export interface Db extends Sql {
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** The role that running code uses: it owns nothing and may not rewrite a journal (migration 0001). */
export const APP_ROLE = 'mingxi_app'

export interface ConnectOptions {
  readonly max?: number
  readonly asOwner?: boolean
  readonly log?: Log
  readonly name?: string
  /** Bound on connecting and on each statement; a session that exceeds it is closed. Without it statements have no bound. */
  readonly answerMs?: number
}

/** Connects. `asOwner` is for migrations and tests that need more than the application may do. */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'mingxi',
    connectionTimeoutMillis: options.answerMs ?? 10_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: chooseSessionSeconds(),
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    ...(options.asOwner ? {} : { options: `-c role=${APP_ROLE}` }),
  })
  guardSessions(pool)
  const open = new Set<Promise<void>>()
  // A connection lost in the middle of a transaction fails its statement; unheard, it would end the process as well
  pool.on('connect', (client) => {
    const gone: Promise<void> = new Promise<void>((done) => client.once('end', done)).then(() => void open.delete(gone))
    open.add(gone)
    client.on('error', (error) => options.log?.warn({ err: error }, 'database connection lost'))
  })
  pool.on('error', (error) => options.log?.warn({ err: error }, 'idle database connection lost'))
  return {
    pool,
    query: <R extends Row>(text: string, values?: readonly unknown[], name?: string) =>
      onConnection(
        pool,
        async (client) => (await client.query<R>(name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] })).rows,
      ),
    // its prepared statements are unknown after a failure: the session ends
    insertRows: (rows, last) => onConnection(pool, (client) => insertRows(client, rows, last), isNeverUsable),
    close: async () => {
      await pool.end()
      // it resolves when all have said goodbye; the database may go when they are gone
      await Promise.race([Promise.all(open), new Promise((done) => setTimeout(done, CLOSE_MS).unref())])
    },
  }
}

/**
 * Runs a statement on a session of the pool. A refused one leaves its session usable: the pool's own `query` ends it, and reconnecting costs
 * fifty times the statement. One that met a session that only reads is run once more, on a new one.
 */
async function onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>, isUsableAfter = isRefusal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      const isOld = isStaleSession(pool, client, error)
      client.release(!isOld && isUsableAfter(error) ? undefined : (error as Error))
      if (attempt > 1 || !isRepeatable(error)) throw error
    }
  }
}

/** A plan that fits its table no more stays with the connection: only another one is free of it. */
const STALE_PLAN = '0A000'
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== STALE_PLAN
const isNeverUsable = (): boolean => false

/** How long a database that does not answer any more may hold up the end. */
const CLOSE_MS = 2_000

/** Not there yet, or just starting: worth waiting for. */
const STARTING_CODES = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ENOTFOUND'])

/** Resolves when a database takes connections; a process that starts beside its database waits instead of ending. */
export async function waitForDatabase(url: string, ms: number, log?: Log): Promise<void> {
  const until = Date.now() + ms
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: 'mingxi-wait' })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      await client.end().catch(() => {})
      if (Date.now() > until || !STARTING_CODES.has((error as { code?: string }).code ?? '')) throw error
      if (tries === 0) log?.warn({ err: error }, 'the database is not reachable yet')
      await new Promise((done) => setTimeout(done, 200))
    }
  }
}

/** The single row of a result, or undefined. */
export function first<R>(rows: readonly R[]): R | undefined {
  return rows[0]
}
