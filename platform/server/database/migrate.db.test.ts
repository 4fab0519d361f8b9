import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { migrate, listPendingMigrations } from './migrate.ts'

const FILES = join(import.meta.dirname, '../../../apps/server/migrations')
const LAST = '0070_audit_chain.sql'
const folder = mkdtempSync(join(tmpdir(), 'mingxi-folded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a database with the folded migrations applies none again, and continues from there', async () => {
  const db = await useTestDb()
  await db.owner.query('delete from migrations where name < $1', ['0014'])
  await db.owner.query(`insert into migrations (name, hash) values ('0001_platform.sql', 'of what it was before'), ('0002_wallet.sql', 'too'), ($1, 'x')`, [
    LAST,
  ])
  await db.owner.query(`insert into settings (key, value, updated_by) values ('kept', '1', 'test')`)
  expect(await migrate(db.url, FILES)).toEqual([])
  expect(await listPendingMigrations(db.url, FILES)).toEqual([])
  expect(await migrate(db.url, FILES)).toEqual([])
  expect(await db.owner.query(`select from settings where key = 'kept'`)).toHaveLength(1)
})

test('a database in between is refused with the file it needs first; so is a file that changed after it was applied', async () => {
  const db = await useTestDb()
  await db.owner.query('delete from migrations')
  await db.owner.query(`insert into migrations (name, hash) values ('0001_platform.sql', 'x'), ('0058_last.sql', 'x')`)
  await expect(migrate(db.url, FILES)).rejects.toThrow(`has 0058_last.sql but not ${LAST}`)
  const changed = mkdtempSync(join(folder, 'changed-'))
  writeFileSync(join(changed, '0001_platform.sql'), 'select 1;')
  await expect(migrate(db.url, changed)).rejects.toThrow('0001_platform.sql was applied in another form')
})
