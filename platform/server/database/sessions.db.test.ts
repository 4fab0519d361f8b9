import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/db.ts'
import { connect } from './db.ts'
import type { Db } from './db.ts'
import { createReadOnlyDb } from './read-only.ts'
import { SYSTEM, transact } from './transact.ts'

const { url } = await createTestDatabase()
const name = new URL(url).pathname.slice(1)
const opened: Db[] = []
afterEach(() => Promise.all(opened.splice(0).map((db) => db.close())))
const open = (options: Parameters<typeof connect>[1]): Db => {
  const db = connect(url, options)
  opened.push(db)
  return db
}

const WRITE = `insert into settings (key, value, updated_by) values ('sessions', '1', 'test') on conflict (key) do update set updated_at = now()`
const selectSessionPids = async (db: Db) =>
  (await Promise.all(Array.from({ length: 4 }, () => db.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.05)')))).flat().map(({ pid }) => pid)
/** Waits until sessions are old enough to be replaced. */
const waitUntilOld = () => new Promise((done) => setTimeout(done, 300))

test('sessions opened while the database only read are replaced at the first write, and the write is made', async () => {
  const owner = open({ asOwner: true, max: 1 })
  await owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const db = open({ max: 4 })
  const before = await selectSessionPids(db)
  expect(new Set(before).size).toBe(4)
  // Every session is read-only and too young to be replaced, so the caller gets the error.
  await expect(db.query(WRITE)).rejects.toMatchObject({ code: '25006' })
  await owner.query(`alter database ${name} reset default_transaction_read_only`)
  await waitUntilOld()
  await db.query(WRITE)
  await transact(db, SYSTEM, (tx) => tx.query(WRITE))
  const after = await selectSessionPids(db)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
})

test('a transaction and a batch of rows are repeated on a new session, once', async () => {
  const owner = open({ asOwner: true, max: 1 })
  const db = open({ max: 1 })
  await owner.query(`alter database ${name} set default_transaction_read_only = on`)
  await db.query('select 1')
  await owner.query(`alter database ${name} reset default_transaction_read_only`)
  await waitUntilOld()
  let runs = 0
  await transact(db, SYSTEM, async (tx) => {
    runs++
    await tx.audit('sessions.tested', 'test')
  })
  expect(runs).toBe(2)
  expect(await db.query(`select from audit_rows where action = 'sessions.tested'`)).toHaveLength(1)
})

test('while the database itself only reads, refused writes open a session now and then, not each time', async () => {
  const owner = open({ asOwner: true, max: 1 })
  await owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const db = open({ max: 1 })
  let sessions = 0
  db.pool.on('connect', () => sessions++)
  const began = performance.now()
  for (let times = 0; times < 30; times++) await expect(db.query(WRITE)).rejects.toMatchObject({ code: '25006' })
  const most = 1 + Math.ceil((performance.now() - began) / 250)
  await owner.query(`alter database ${name} reset default_transaction_read_only`)
  expect(sessions).toBeLessThanOrEqual(most)
})

test('a write that the caller may not make ends no session and is refused as such', async () => {
  const db = open({ max: 1 })
  const [before] = await db.query('select pg_backend_pid() as pid')
  await waitUntilOld()
  const viewer = createReadOnlyDb(db)
  await expect(viewer.query(WRITE)).rejects.toMatchObject({ errorName: 'VIEW_ONLY' })
  await expect(transact(viewer, SYSTEM, (tx) => tx.query(WRITE))).rejects.toMatchObject({ errorName: 'VIEW_ONLY' })
  expect(await db.query('select pg_backend_pid() as pid')).toEqual([before])
})

test('no session lives for ever', () => {
  const { maxLifetimeSeconds } = open({ max: 1 }).pool.options as { maxLifetimeSeconds: number }
  expect(maxLifetimeSeconds).toBeGreaterThanOrEqual(900)
  expect(maxLifetimeSeconds).toBeLessThanOrEqual(1200)
})
