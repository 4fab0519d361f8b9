import pg from 'pg'
import { renameColumns } from './column-names.ts'
import { insertRows } from './insert-rows.ts'
import type { CopyRows, PreparedStatement } from './insert-rows.ts'
import { guardSessions, isStaleSession, isRepeatable, chooseSessionSeconds } from './sessions.ts'
import type { Log } from '../log.ts'

/** int8 carries money or counts: parsed as bigint, never as a float. */
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)

/** A row: columns in camelCase (column-names.ts). */
export type Row = Record<string, any>

/** Runs statements: the pool or one transaction. */
export interface Sql {
  /** Runs one statement. `name` makes it a prepared statement, for frequent ones. */
  query<R extends Row = Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>
  /** Inserts rows into tables, then runs `last`, atomically and in one round trip (insert-rows.ts). */
  insertRows(rows: readonly CopyRows[], last?: PreparedStatement): Promise<void>
}

export interface Db extends Sql {
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** The role of the running application: it owns no tables and cannot change journals (migration 0001). */
export const APP_ROLE = 'mingxi_app'

export interface ConnectOptions {
  readonly max?: number
  readonly asOwner?: boolean
  readonly log?: Log
  readonly name?: string
  /** Time limit for connecting and for each statement; a session that exceeds it is closed. Without it statements are unlimited. */
  readonly answerMs?: number
}

/** Opens a connection pool. `asOwner` is for migrations and tests that need more rights than the application has. */
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
  // A connection lost during a transaction fails its statement. Without a listener its error event would end the process.
  pool.on('connect', (client) => {
    renameColumns(client)
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
    // After a failure the session's prepared statements are unknown, so the session is closed.
    insertRows: (rows, last) => onConnection(pool, (client) => insertRows(client, rows, last), isNeverUsable),
    close: async () => {
      await pool.end()
      // `pool.end` resolves before the sockets close. Wait for them, so that the caller can stop the database.
      await Promise.race([Promise.all(open), new Promise((done) => setTimeout(done, CLOSE_MS).unref())])
    },
  }
}

/**
 * Runs a statement on a pooled session. The session stays open after a statement error: the pool's own `query` closes it, and reconnecting
 * costs fifty times the statement. A statement that failed because its session is read-only is retried once on a new session.
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

/** A cached plan that no longer fits its table stays with the connection, so the connection must be closed. */
const STALE_PLAN = '0A000'
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== STALE_PLAN
const isNeverUsable = (): boolean => false

/** Longest time that an unresponsive database can delay closing. */
const CLOSE_MS = 2_000

/** Errors of a database that is not up yet or is starting: worth waiting for. */
const STARTING_CODES = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ENOTFOUND'])

/** Resolves when the database accepts connections, so that a process started alongside its database waits instead of exiting. */
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
