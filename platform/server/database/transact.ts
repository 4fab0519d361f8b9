import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Db, Row, Sql } from './db.ts'
import { insertRows } from './insert-rows.ts'
import { isStaleSession, isRepeatable } from './sessions.ts'

/** Values that the table of audit rows allows. */
export const ACTOR_KINDS = ['user', 'operator', 'channel', 'system', 'anonymous'] as const

/** The acting party: a user, an operator, an outside party (a channel's webhook) or the system itself. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number]
  readonly id: string
}

export const SYSTEM: Actor = { kind: 'system', id: 'system' }

/** A transaction: its statements, audit row and outbox events commit or roll back together. */
export interface Tx extends Sql {
  readonly actor: Actor
  /** Records who did what to what. Never put secrets or card data in `data`. */
  audit(action: string, target: string, data?: Record<string, unknown>): Promise<void>
  /** Publishes an event for other features, delivered at least once after commit. */
  emit(event: string, payload: Record<string, unknown>): Promise<void>
  /** Runs `work` in a savepoint; if it throws, its effects alone are rolled back and the error propagates. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** Runs after a successful commit only. */
  afterCommit(work: () => void): void
}

/** The pool whose connection the current work holds. Tests refuse a second one: work that fills the pool would deadlock. */
export const heldPool = new AsyncLocalStorage<pg.Pool>()

const RETRYABLE = new Set(['40001', '40P01'])
const isRetryable = (error: unknown): boolean => error instanceof pg.DatabaseError && (RETRYABLE.has(error.code ?? '') || isRepeatable(error))

/**
 * Runs work in a transaction and commits it. Retries up to three times after serialisation failures, deadlocks and read-only sessions
 * (money.md L2). On a `createJoinedDb` the work joins the open transaction.
 */
export async function transact<T>(db: Db, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  const joined = 'joined' in db ? (db as JoinedDb).joined : undefined
  if (joined) return joined.savepoint(() => work({ ...joined, actor, audit: createAudit(joined.query, actor) }))
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(db, actor, work)
    } catch (error) {
      if (attempt > 3 || !isRetryable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

interface JoinedDb extends Db {
  readonly joined: Tx
}

/** A transaction in place of the pool: functions that open a transaction join this one and are rolled back with it. */
export function createJoinedDb(tx: Tx): JoinedDb {
  return {
    query: tx.query,
    insertRows: tx.insertRows,
    joined: tx,
    close: async () => {},
    get pool(): never {
      throw new Error('a joined transaction has no pool')
    },
  }
}

/** Binds a request to its transaction's connection, if it has one. Not for work that outlives the transaction. */
export const bindToTransaction = <C extends { readonly db: Db; readonly tx: Tx | undefined }>(ctx: C): C =>
  ctx.tx ? { ...ctx, db: createJoinedDb(ctx.tx) } : ctx

const createAudit =
  (query: Sql['query'], actor: Actor): Tx['audit'] =>
  async (action, target, data = {}) => {
    await query(
      'insert into audit_rows (actor_kind, actor_id, action, target, data) values ($1,$2,$3,$4,$5)',
      [actor.kind, actor.id, action, target, JSON.stringify(data)],
      'audit',
    )
  }

async function transactOnce<T>(db: Db, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await db.pool.connect()
  const after: Array<() => void> = []
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await heldPool.run(db.pool, () => work(bindTx(client, actor, after)))
    await client.query('commit')
    for (const run of after) run()
    return result
  } catch (error) {
    if (isStaleSession(db.pool, client, error)) broken = error as Error
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function bindTx(client: pg.PoolClient, actor: Actor, after: Array<() => void>): Tx {
  const query = async <R extends Row>(text: string, values?: readonly unknown[], name?: string) =>
    (await client.query<R>(name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] })).rows
  return {
    actor,
    query,
    insertRows: (rows, last) => insertRows(client, rows, last),
    audit: createAudit(query, actor),
    emit: async (event, payload) => {
      await query('insert into outbox (event, payload) values ($1,$2)', [event, JSON.stringify(payload)])
    },
    savepoint: async (work) => {
      await query('savepoint inner_work')
      try {
        const result = await work()
        await query('release savepoint inner_work')
        return result
      } catch (error) {
        // Release it as well: a leftover savepoint would hide an outer one of the same name from its rollback.
        await query('rollback to savepoint inner_work')
        await query('release savepoint inner_work')
        throw error
      }
    },
    afterCommit: (work) => {
      after.push(work)
    },
  }
}
