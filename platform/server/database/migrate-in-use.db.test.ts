import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { migrate } from './migrate.ts'

// Migrations of a database that is in use.

const db = await useTestDb()
const folder = mkdtempSync(join(tmpdir(), 'mingxi-in-use-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const aFolder = (files: Readonly<Record<string, string>>): string => {
  const made = mkdtempSync(join(folder, 'files-'))
  mkdirSync(join(made, 'indexes'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}
/** A transaction that another session has open. */
async function openTransaction(text: string): Promise<() => Promise<void>> {
  const client = await db.pool.connect()
  await client.query('begin')
  await client.query(text)
  return async () => {
    await client.query('commit')
    client.release()
  }
}
const running = (words: string) =>
  db.owner.query<{ pid: number; wait: string | null }>(
    `select pid, wait_event_type as wait from pg_stat_activity where datname = current_database() and state = 'active' and query ilike $1 and pid <> pg_backend_pid()`,
    [`${words}%`],
  )
const isValid = async (name: string) =>
  (await db.owner.query<{ valid: boolean }>('select indisvalid as valid from pg_index where indexrelid = to_regclass($1)', [name])).map(({ valid }) => valid)

test('a migration that does not get its lock lets others pass, and is retried until it does', async () => {
  await migrate(db.url, aFolder({ '0101_busy.sql': 'create table busy (id int);' }))
  const end = await openTransaction('select from busy')
  const migrated = migrate(db.url, aFolder({ '0102_busy.sql': 'alter table busy add column name text;' }), { lockMs: 100 })
  await waitForValue(async () => (await running('alter table busy')).some(({ wait }) => wait === 'Lock'), 'a file that waits for its lock')
  // This query queues behind the migration until the migration times out.
  await db.query('select from busy')
  await end()
  expect(await migrated).toEqual(['0102_busy.sql'])
  expect(await db.query('select name from busy')).toEqual([])
})

test('an index is built while the table is written; what a killed build left is dropped and rebuilt', async () => {
  const files = aFolder({ '0103_lane.sql': 'create table lane (id int);', 'indexes/lane_by_id.sql': 'create index concurrently lane_by_id on lane (id);' })
  await migrate(db.url, aFolder({ '0103_lane.sql': 'create table lane (id int);' }))
  const end = await openTransaction('insert into lane values (1)')
  const killed = migrate(db.url, files).then(
    () => 'built',
    (error: Error) => error.message,
  )
  const [{ pid } = { pid: 0 }] = await waitForValue(async () => {
    const found = await running('create index concurrently')
    return found.some(({ wait }) => wait === 'Lock') ? found : undefined
  }, 'a build that waits for a transaction')
  await db.query('insert into lane values (2)')
  await db.owner.query('select pg_terminate_backend($1)', [pid])
  expect(await killed).toContain('index lane_by_id: terminating connection')
  await end()
  expect(await isValid('lane_by_id')).toEqual([false])
  // Two at once: neither may wait inside a statement, because the index build would wait for it.
  const built = await Promise.all([migrate(db.url, files), migrate(db.url, files)])
  expect(built.flat()).toEqual(['indexes/lane_by_id.sql'])
  expect(await isValid('lane_by_id')).toEqual([true])
})

test('a file that builds no index of its name is refused', async () => {
  const files = aFolder({ '0104_other.sql': 'create table other (id int);', 'indexes/of_other.sql': 'create index concurrently another on other (id);' })
  await expect(migrate(db.url, files)).rejects.toThrow('builds no valid index of that name')
})
