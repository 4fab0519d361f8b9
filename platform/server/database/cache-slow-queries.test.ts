import { expect, test } from 'vitest'
import { cacheSlowQueries } from './cache-slow-queries.ts'
import type { Sql } from './db.ts'

function asked(takes: number) {
  let at = 0
  let times = 0
  const read = cacheSlowQueries(
    async (_sql, day) => {
      at += takes
      return `${day} ${++times}`
    },
    () => at,
  )
  return { read, later: (ms: number) => (at += ms), sql: {} as Sql }
}

test('what is quick is asked each time', async () => {
  const { read, sql } = asked(499)
  expect([await read(sql, 'a'), await read(sql, 'a')]).toEqual(['a 1', 'a 2'])
})

test('what takes long is kept a hundred times as long, by what was asked and of whom', async () => {
  const { read, sql, later } = asked(600)
  expect([await read(sql, 'a'), await read(sql, 'a'), await read(sql, 'b'), await read({} as Sql, 'a')]).toEqual(['a 1', 'a 1', 'b 2', 'a 3'])
  later(58_000)
  expect(await read(sql, 'a')).toBe('a 1')
  later(2_000)
  expect(await read(sql, 'a')).toBe('a 4')
})

test('who asks at the same moment shares the question; a failure is nobody’s answer afterwards', async () => {
  let times = 0
  const read = cacheSlowQueries(async () => {
    if (++times === 1) throw new Error('down')
    return times
  })
  const sql = {} as Sql
  const [first, second] = await Promise.allSettled([read(sql), read(sql)])
  expect([first.status, second.status, times]).toEqual(['rejected', 'rejected', 1])
  expect(await read(sql)).toBe(2)
})
