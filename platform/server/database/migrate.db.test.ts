import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import type { Db } from './db.ts'
import { migrate, listPendingMigrations } from './migrate.ts'

const FILES = join(import.meta.dirname, '../../../apps/server/migrations')
const LAST = '0075_number_messages.sql'
const isFolding = (name: string) => name.endsWith('.sql') && readFileSync(join(FILES, name), 'utf8').startsWith(`-- folds ${LAST} (release 0.1)\n`)
const FOLDING = readdirSync(FILES).filter(isFolding).toSorted()
const folder = mkdtempSync(join(tmpdir(), 'mingxi-folded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Puts the rows of an older release in the place of those of the files that folded its files. */
async function pretendRelease(owner: Db, names: readonly string[]): Promise<void> {
  await owner.query('delete from migrations')
  await owner.query(`insert into migrations (name, hash) select name, 'of 0.1' from unnest($1::text[]) name`, [names])
}

test('a database with the folded migrations runs only the files after them, and release 0.1 still accepts it', async () => {
  const db = await useTestDb()
  await pretendRelease(db.owner, ['0001_platform.sql', '0002_wallet.sql', '0014_risk_marks.sql', LAST])
  await db.owner.query(`insert into settings (key, value, updated_by) values ('kept', '1', 'test')`)
  const later = readdirSync(FILES).filter((name) => name.endsWith('.sql') && !FOLDING.includes(name))
  expect(await migrate(db.url, FILES)).toEqual(later)
  expect(await listPendingMigrations(db.url, FILES)).toEqual([])
  expect(await migrate(db.url, FILES)).toEqual([])
  expect(await db.owner.query(`select from settings where key = 'kept'`)).toHaveLength(1)
  expect(await db.owner.query(`select name from migrations where hash = 'of 0.1' order by name`)).toHaveLength(4)
})

test.each([
  ['long after the first files', ['0001_platform.sql', '0050_account_freezes.sql'], '0050_account_freezes.sql'],
  ['at files whose names are used again', ['0001_platform.sql', '0013_backoffice.sql'], '0013_backoffice.sql'],
])('a database that stopped %s is refused with the release to run first', async (_, names, newest) => {
  const db = await useTestDb()
  await pretendRelease(db.owner, names)
  await expect(migrate(db.url, FILES)).rejects.toThrow(
    `the database has ${newest} but not ${LAST}: migrate it with the last release 0.1 first, then with this one`,
  )
  expect(await db.owner.query('select name from migrations order by name')).toEqual(names.map((name) => ({ name })))
})

test('a new database that a kill stopped in the middle continues; a file that changed after it was applied is refused', async () => {
  const db = await useTestDb()
  const [first] = FOLDING
  const changed = mkdtempSync(join(folder, 'changed-'))
  for (const name of FOLDING) writeFileSync(join(changed, name), readFileSync(join(FILES, name)))
  writeFileSync(join(changed, '0002_wallet.sql'), `-- folds ${LAST} (release 0.1)\nselect 1;`)
  await expect(migrate(db.url, changed)).rejects.toThrow('0002_wallet.sql was applied in another form')
  await db.owner.query(`delete from migrations where name <> $1`, [first])
  for (const name of FOLDING.slice(1)) writeFileSync(join(changed, name), `-- folds ${LAST} (release 0.1)\nselect 1;`)
  expect(await migrate(db.url, changed)).toEqual(FOLDING.slice(1))
})
