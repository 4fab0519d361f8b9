import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { useTestDb } from '../db.ts'
import { createTestSettings } from './settings-written.ts'

const db = await useTestDb()
const many = setting('testing.many', z.number(), { fallback: 1, about: 'of this test' })
const written = (value: number) => ({
  text: `insert into settings (key, value, updated_by) values ($1,$2,'test') on conflict (key) do update set value = excluded.value`,
  values: [many.key, String(value)],
})

test('a setting is read once, and again after a write: by a statement, in a transaction, by hand', async () => {
  const settings = createTestSettings(db.settingsDb)
  const read = () => settings.get(many)
  const asked = vi.spyOn(db.settingsDb, 'query')
  expect([await read(), await read()]).toEqual([1, 1])
  expect(asked).toHaveBeenCalledTimes(1)
  await db.owner.query(written(2).text, written(2).values)
  expect(await read()).toBe(2)
  const client = await db.pool.connect()
  await client.query('begin')
  await client.query(written(3))
  expect(await read()).toBe(2)
  await client.query('commit')
  expect(await read()).toBe(3)
  await client.query('begin')
  await client.query(written(4))
  await client.query('rollback')
  client.release()
  expect(await read()).toBe(3)
  await db.owner.query('delete from settings where key = $1', [many.key])
  expect([await read(), await read()]).toEqual([1, 1])
  expect(asked.mock.calls.length).toBeLessThan(8)
})
