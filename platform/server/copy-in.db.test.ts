import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { field } from './copy-in.ts'
import { SYSTEM, transact } from './transact.ts'

const db = await useTestDb()
const COPY = 'copy copied (id, word) from stdin'
const words = () => db.query<{ id: number; word: string }>('select id, word from copied order by id')

beforeAll(async () => {
  await db.owner.query('create table copied (id int primary key, word text not null)')
  await db.owner.query('create table counted (id int primary key)')
  await db.owner.query('grant select, insert, delete on copied, counted to mingxi_app')
})

test('a field comes back as it was, whatever is in it', async () => {
  const odd = ['', '\\N', '\\.', 'a\tb\\tc\r\nd', "it's", '明细 \u{1F469}‍\u{1F680} مرحبا', '{"a":"\\u0000"}', '\u0001\u001f\u007f']
  await db.copyIn(COPY, [odd.map((word, i) => `${i}\t${field(word)}\n`).join('')])
  expect((await words()).map((row) => row.word)).toEqual(odd)
  await db.query('delete from copied')
})

test('statements are together or not at all, and the connection goes on', async () => {
  const both = `${COPY};copy counted (id) from stdin;delete from copied where id = 1`
  await db.copyIn(both, ['1\ta\n2\tb\n', '7\n'])
  expect(await words()).toEqual([{ id: 2, word: 'b' }])
  // the first fails: the second's data are on their way already
  await expect(db.copyIn(both, ['3\tc\n2\ttwice\n', '8\n'])).rejects.toMatchObject({ code: '23505', constraint: 'copied_pkey' })
  // the second fails: the first is undone
  await expect(db.copyIn(both, ['4\td\n', '7\n'])).rejects.toMatchObject({ code: '23505' })
  await expect(db.copyIn(both, ['5\te\0\n', '9\n'])).rejects.toMatchObject({ code: '22021' })
  await expect(db.copyIn(both, ['too\tmany\tfields\n', '9\n'])).rejects.toMatchObject({ code: '22P04' })
  expect(await words()).toEqual([{ id: 2, word: 'b' }])
  expect(await db.query('select id from counted')).toEqual([{ id: 7 }])
  await db.query('delete from copied')
})

test('within a transaction it shares its fate', async () => {
  const work = transact(db, SYSTEM, async (tx) => {
    await tx.copyIn(COPY, ['1\ta\n'])
    expect(await tx.query('select word from copied')).toEqual([{ word: 'a' }])
    await tx.savepoint(() => tx.copyIn(COPY, ['1\ttwice\n'])).catch(() => {})
    await tx.copyIn(COPY, ['2\tb\n'])
    throw new Error('undone')
  })
  await expect(work).rejects.toThrow('undone')
  expect(await words()).toEqual([])
})

test('a connection that is cut in the middle rejects, and the next call has another', async () => {
  const cut = db.copyIn(`select pg_sleep(5);${COPY}`, ['1\ta\n']).catch((error: unknown) => error)
  await expect
    .poll(async () => (await db.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(5);%'`)).length)
    .toBe(1)
  expect(await cut).toBeInstanceOf(Error)
  await db.copyIn(COPY, ['2\tb\n'])
  expect(await words()).toEqual([{ id: 2, word: 'b' }])
})
