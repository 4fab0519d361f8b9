import { afterAll, inject } from 'vitest'
import pg from 'pg'
import { connect } from '#platform/server/database/db.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import { heldPool } from '#platform/server/database/transact.ts'
import { createPoolCloser } from './watching/held-connections.ts'

/** A fresh, migrated database for the running test file, dropped at its end. */
export async function createTestDatabase(): Promise<{ url: string }> {
  const base = inject('databaseUrl')
  const name = `test_${process.env['TEST_FILE'] ?? process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await runOnAdmin(base, `create database ${name} template template_mingxi strategy file_copy`)
  afterAll(() => runOnAdmin(base, `drop database if exists ${name} with (force)`))
  const url = new URL(base)
  url.pathname = `/${name}`
  return { url: url.href }
}

export interface TestDb extends Db {
  readonly url: string
  readonly owner: Db
  /** Separate connection for settings, as in the server: they are read inside transactions too. */
  readonly settingsDb: Db
}

/** The test database under the application's own role; closed at the end of the file. */
export async function useTestDb(options: { max?: number } = {}): Promise<TestDb> {
  const { url } = await createTestDatabase()
  const db = connect(url, { max: options.max ?? 10 })
  const owner = connect(url, { max: 2, asOwner: true })
  const settingsDb = connect(url, { max: 1 })
  const closings = [db, owner, settingsDb].map((one) => createPoolCloser(one))
  afterAll(() => Promise.all(closings.map((close) => close())))
  refuseSecondConnection(db.pool)
  return { ...db, url, owner, settingsDb }
}

/**
 * Makes rows that wait for a time in `table.column` due now, and returns their number. Skips locked rows: an update of many rows locks them in no
 * fixed order, so two at once can deadlock.
 */
export async function makeRowsDue(
  sql: Sql,
  table: string,
  { column, where = `${column} is not null` }: { readonly column: string; readonly where?: string },
): Promise<number> {
  const rows = await sql.query(
    `update ${table} set ${column} = now() - interval '1 second' where ctid in (select ctid from ${table} where ${where} for update skip locked) returning 1`,
  )
  return rows.length
}

/** Rejects a second connection from the pool inside a transaction; work there must use the transaction's own. */
function refuseSecondConnection(pool: pg.Pool): void {
  const given = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  pool.connect = ((answer?: (error: Error) => void) => {
    if (heldPool.getStore() !== pool) return answer ? given(answer) : given()
    const error = new Error('a transaction asks the pool for a second connection')
    return answer ? answer(error) : Promise.reject(error)
  }) as pg.Pool['connect']
}

async function runOnAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
