import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'

let db: Db & { owner: Db }
beforeAll(async () => {
  db = await useTestDb()
})

interface Definer {
  readonly name: string
  readonly path: string | null
}

/** Functions that run with their owner's rights, and the search path of each. */
const selectDefiners = () =>
  db.owner.query<Definer>(
    `select p.oid::regprocedure::text as name, (select split_part(c, '=', 2) from unnest(p.proconfig) c where c like 'search_path=%') as path
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by p.oid`,
  )

/** Unless the path lists it last, the caller's temporary schema is searched first: a table created there could replace a real one. */
const isSafe = ({ path }: Definer): boolean => path !== null && /^[a-z_]+(?:, [a-z_]+)*, pg_temp$/.test(path) && !path.includes('$user')

test('a function with its owner’s rights never looks into the caller’s temporary schema first', async () => {
  const found = await selectDefiners()
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((one) => !isSafe(one))).toEqual([])
})

test('a function without a search path is found', async () => {
  await db.owner.query(`create function careless() returns int language sql security definer as 'select 1'`)
  await db.owner.query(`create function half_careless() returns int language sql security definer set search_path = public as 'select 1'`)
  expect((await selectDefiners()).filter((one) => !isSafe(one)).map(({ name }) => name)).toEqual(['careless()', 'half_careless()'])
  await db.owner.query('drop function careless(), half_careless()')
})
