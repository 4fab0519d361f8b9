import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isLang } from '#platform/shared/languages.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { TestDb } from '#platform/testing/db.ts'
import { selectColumns } from './data.ts'
import { buildRowTypes, DRIVER_TYPES, parseEnumeration } from './row-types.ts'

const root = join(import.meta.dirname, '../../..')
const features = readdirSync(join(root, 'features'))

let db: TestDb
beforeAll(async () => {
  db = await useTestDb()
})

test('the row types in the tree are those of the migrated schema (else: npm run db:types)', async () => {
  const files = buildRowTypes(await selectColumns(db.owner), features)
  const present = [...features.map((name) => `features/${name}/server`), 'platform/server/database'].filter((folder) =>
    readdirSync(join(root, folder)).includes('tables.ts'),
  )
  expect(present.map((folder) => `${folder}/tables.ts`).sort()).toEqual([...files.keys()].sort())
  for (const [path, text] of files) expect(readFileSync(join(root, path), 'utf8'), path).toBe(text)
})

test('no column lists the languages: another one needs no migration', async () => {
  const lists = (await selectColumns(db.owner)).filter(({ checks }) => checks.some((check) => parseEnumeration(check)?.some((value) => isLang(value))))
  expect(lists.map(({ table, name }) => `${table}.${name}`)).toEqual([])
})

/** A value of each type in SQL, and the type of its JavaScript value. */
const SAMPLES: Readonly<Record<string, string>> = {
  bool: 'true',
  bytea: `'\\x00'::bytea`,
  date: `'2026-11-30'::date`,
  float8: '0.5::float8',
  int2: '1::int2',
  int4: '1::int4',
  int8: '1::int8',
  numeric: '0.5::numeric',
  text: `'a'::text`,
  timestamptz: 'now()',
  uuid: 'gen_random_uuid()',
  xid8: 'pg_current_xact_id()',
  _bytea: `array['\\x00'::bytea]`,
  _int4: 'array[1]::int4[]',
  _int8: 'array[1]::int8[]',
  _text: `array['a']::text[]`,
}

const nameType = (value: unknown): string => {
  if (Array.isArray(value)) return `${nameType(value[0])}[]`
  if (Buffer.isBuffer(value)) return 'Buffer'
  return value instanceof Date ? 'Date' : typeof value
}

test.each(Object.entries(DRIVER_TYPES).filter(([, type]) => type !== 'unknown'))('the driver returns %s as %s', async (name, type) => {
  const [row] = await db.query<{ value: unknown }>(`select ${SAMPLES[name]} as value`)
  expect(nameType(row?.value)).toBe(type.replace('readonly ', ''))
})
