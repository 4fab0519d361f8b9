import { expect, test } from 'vitest'
import { cacheSlowQueries } from './cache-slow-queries.ts'
import type { Sql } from './db.ts'

function aQuery(takes: number) {
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

test('a quick query runs each time', async () => {
  const { read, sql } = aQuery(499)
  expect([await read(sql, 'a'), await read(sql, 'a')]).toEqual(['a 1', 'a 2'])
})

test('the result of a slow query is kept a hundred times as long as it took, by arguments and database', async () => {
  const { read, sql, later } = aQuery(600)
  expect([await read(sql, 'a'), await read(sql, 'a'), await read(sql, 'b'), await read({} as Sql, 'a')]).toEqual(['a 1', 'a 1', 'b 2', 'a 3'])
  later(58_000)
  expect(await read(sql, 'a')).toBe('a 1')
  later(2_000)
  expect(await read(sql, 'a')).toBe('a 4')
})

test('concurrent callers share one query; a failure is not cached', async () => {
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
