import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { escapeCopyField, defineCopyTarget } from './insert-rows.ts'
import type { CopyRows } from './insert-rows.ts'
import { SYSTEM, transact } from './transact.ts'

const db = await useTestDb()
const WORDS = defineCopyTarget('copied', ['id', 'word'])
const NUMBERS = defineCopyTarget('counted', ['id'])
const selectWords = () => db.query<{ id: number; word: string }>('select id, word from copied where id < 1000 order by id')
const last = { name: 'drop_word', text: 'delete from copied where id = $1 and word = $2', values: ['1', `it's \\ $1`] }

beforeAll(async () => {
  await db.owner.query('create table copied (id int primary key, word text not null)')
  await db.owner.query('create table counted (id int primary key)')
  await db.owner.query('grant select, insert, delete on copied, counted to mingxi_app')
})
beforeEach(async () => {
  await db.query('delete from copied')
  await db.query('delete from counted')
})

describe.each([
  ['a few rows', 0],
  ['many rows', 40],
])('%s', (_, more) => {
  let next = 1000
  const text = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('')
  const into = (...rows: string[]): CopyRows => ({ into: WORDS, text: text([...rows, ...Array.from({ length: more }, () => `${next++}\tmore`)]) })
  const number = (id: number): CopyRows => ({ into: NUMBERS, text: text([`${id}`, ...Array.from({ length: more }, () => `${next++}`)]) })

  test('a field comes back as it was, whatever is in it', async () => {
    const odd = ['', '\\N', '\\.', 'a\tb\\tc\r\nd', '\\\\t\\', "it's", '明细 \u{1F469}‍\u{1F680} مرحبا', '{"a":"\\u0000"}']
    await db.insertRows([into(...odd.map((word, i) => `${i}\t${escapeCopyField(word)}`))])
    await db.insertRows([into(`8\t${escapeCopyField('\u0001\u001f\u007f')}`)])
    expect((await selectWords()).map((row) => row.word)).toEqual([...odd, '\u0001\u001f\u007f'])
  })

  test('rows are inserted together or not at all, and the next insert works', async () => {
    await db.insertRows([into(`1\t${escapeCopyField(last.values[1]!)}`, '2\tb'), number(7)], last)
    expect(await selectWords()).toEqual([{ id: 2, word: 'b' }])
    // The first batch fails while the second one is already on its way.
    await expect(db.insertRows([into('3\tc', '2\ttwice'), number(8)], last)).rejects.toMatchObject({ code: '23505', constraint: 'copied_pkey' })
    // The second batch fails, so the first is rolled back.
    await expect(db.insertRows([into('4\td'), number(7)])).rejects.toMatchObject({ code: '23505', table: 'counted' })
    await expect(db.insertRows([into('5\te\0'), number(9)])).rejects.toMatchObject({ code: '22021' })
    await expect(db.insertRows([into('too\tmany\tfields'), number(9)])).rejects.toMatchObject({ code: more ? '22P04' : '08P01' })
    expect(await selectWords()).toEqual([{ id: 2, word: 'b' }])
    expect(await db.query('select id from counted where id < 1000')).toEqual([{ id: 7 }])
  })

  test('inserts within a transaction share its outcome, and a failure leaves the connection as it was', async () => {
    const work = transact(db, SYSTEM, async (tx) => {
      await tx.insertRows([into('1\ta')])
      expect(await tx.query('select word from copied where id = 1')).toEqual([{ word: 'a' }])
      // The statements are first prepared in the failing run, then already prepared.
      await tx.savepoint(() => tx.insertRows([number(1), into('1\ttwice')], last)).catch(() => {})
      await tx.savepoint(() => tx.insertRows([into('1\ttwice')], last)).catch(() => {})
      await tx.insertRows([into('2\tb'), number(2)], last)
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect(await selectWords()).toEqual([])
  })

  test('a connection that is cut in the middle rejects, and the next call has another', async () => {
    const slow = { name: 'slow', text: 'select pg_sleep(5), $1::int', values: ['1'] }
    const cut = db.insertRows([into('1\ta')], slow).catch((error: unknown) => error)
    await expect.poll(async () => (await db.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`)).length).toBe(1)
    expect(await cut).toBeInstanceOf(Error)
    await db.insertRows([into('2\tb')])
    expect(await selectWords()).toEqual([{ id: 2, word: 'b' }])
  })
})

test('rows are optional: a last statement alone works, and so does an empty call', async () => {
  await db.insertRows([{ into: WORDS, text: `1\t${escapeCopyField(last.values[1]!)}\n` }])
  await db.insertRows([], last)
  await db.insertRows([])
  expect(await selectWords()).toEqual([])
})
