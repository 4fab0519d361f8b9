import type pg from 'pg'
import { Failure } from '#platform/shared/errors.ts'
import type { Db, Row } from './db.ts'
import { isReadOnly } from './sessions.ts'

/** Turns a read-only error into VIEW_ONLY: the caller may not write here. */
const refuse = (error: unknown): never => {
  throw isReadOnly(error) ? new Failure('VIEW_ONLY') : error
}

/** Wraps a database so that every statement and transaction is read-only; the database itself rejects writes. */
export function createReadOnlyDb(db: Db): Db {
  const pool = {
    connect: async () => {
      const client = await db.pool.connect()
      return {
        query: (text: unknown, ...more: unknown[]) =>
          (client.query as (...all: unknown[]) => Promise<unknown>)(text === 'begin' ? 'begin read only' : text, ...more).catch(refuse),
        release: (error?: Error) => client.release(error),
      }
    },
  } as unknown as pg.Pool
  return {
    pool,
    close: async () => {},
    insertRows: async () => {
      throw new Failure('VIEW_ONLY')
    },
    query: async <R extends Row>(text: string, values?: readonly unknown[], name?: string) => {
      const client = await db.pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin read only')
        const { rows } = await client.query<R>(name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] })
        await client.query('commit')
        return rows
      } catch (error) {
        await client.query('rollback').catch((lost: Error) => {
          broken = lost
        })
        return refuse(error)
      } finally {
        client.release(broken)
      }
    },
  }
}
