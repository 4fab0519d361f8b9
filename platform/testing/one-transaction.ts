import pg from 'pg'
import type { Db, Row } from '#platform/server/database/db.ts'
import { insertRows } from '#platform/server/database/insert-rows.ts'
import { joinedDb, SYSTEM } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { prepared } from './prepare-all.ts'

/**
 * A database on which the work of many at once is one transaction, its statements pipelined: what waits for nobody else's rows runs several
 * times as fast. Transactions inside it have no ends of their own, so one that fails fails the whole.
 */
export async function pipelinedDb(url: string): Promise<{ inOne: <T>(work: (db: Db) => Promise<T>) => Promise<T>; close: () => Promise<void> }> {
  const client = prepared(new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig))
  await client.connect()
  const query = async <R extends Row>(text: string, values?: readonly unknown[], name?: string) =>
    (await client.query<R>(name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] })).rows
  const tx: Tx = {
    actor: SYSTEM,
    query,
    insertRows: (rows, last) => insertRows(client, rows, last),
    audit: async () => {},
    emit: async (event, payload) => void (await query('insert into outbox (event, payload) values ($1,$2)', [event, JSON.stringify(payload)])),
    savepoint: (work) => work(),
    afterCommit: () => {},
  }
  return {
    inOne: async (work) => {
      await client.query('begin')
      const done = await work(joinedDb(tx))
      await client.query('commit')
      return done
    },
    close: () => client.end(),
  }
}
