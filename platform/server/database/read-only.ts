import type pg from 'pg'
import type { Db, Row } from './db.ts'

/** What PostgreSQL answers to a write in a transaction that only reads. */
export const READ_ONLY_STATE = '25006'

/** The same database, where every statement and every transaction only reads: the database itself refuses the rest. */
export function readOnlyDb(db: Db): Db {
  const pool = {
    connect: async () => {
      const client = await db.pool.connect()
      return {
        query: (text: unknown, ...more: unknown[]) => (client.query as (...all: unknown[]) => unknown)(text === 'begin' ? 'begin read only' : text, ...more),
        release: (error?: Error) => client.release(error),
      }
    },
  } as unknown as pg.Pool
  return {
    pool,
    close: async () => {},
    insertRows: async () => {
      throw Object.assign(new Error('rows are not inserted here'), { code: READ_ONLY_STATE })
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
        throw error
      } finally {
        client.release(broken)
      }
    },
  }
}
