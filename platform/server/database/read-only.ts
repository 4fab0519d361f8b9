import type pg from 'pg'
import { Failure } from '#platform/shared/errors.ts'
import type { Db, Row } from './db.ts'
import { isReadOnly } from './sessions.ts'

/** A write that the caller may not make, as opposed to one that the database cannot make now. */
const refuse = (error: unknown): never => {
  throw isReadOnly(error) ? new Failure('VIEW_ONLY') : error
}

/** The same database, where every statement and every transaction only reads: the database itself refuses the rest. */
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
