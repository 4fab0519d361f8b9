import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createTestApp } from '#platform/testing/http.ts'
import type { Db } from '../database/db.ts'
import { hasMoreValues, mountJson } from './parse-json.ts'

test.each([
  ['[]', 1, false],
  ['[1,2]', 2, false],
  ['[1,2,3]', 2, true],
  ['{"a":1,"b":[1,2]}', 2, true],
  ['[",,,,,,", "\\",,,,", "\\\\"]', 3, false],
  ['["unfinished,,,,,', 2, false],
  [`${'['.repeat(64)}${']'.repeat(64)}`, 2, false],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 2, true],
  [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 2, true],
  [`["${'['.repeat(65)}"]`, 2, false],
  [`[${'[[]],'.repeat(900)}0]`, 1_000, false],
])('values outside of strings are counted: %s, at most %i', (text, most, isMore) => {
  expect(hasMoreValues(text, most)).toBe(isMore)
})

test('a body of ten thousand values is refused before it is parsed, others are read as before', async () => {
  const app = Fastify()
  mountJson(app)
  app.post('/', (request) => request.body)
  const post = async (payload: string) => (await app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': 'application/json' } })).statusCode
  const names = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`
  expect([
    await post('{"a":1}'),
    await post(names(9_000)),
    await post(names(10_001)),
    await post(`[${'0,'.repeat(10_000)}0]`),
    await post('['.repeat(500_000)),
  ]).toEqual([200, 200, 400, 400, 400])
  expect([await post('{'), await post(''), await post('{"__proto__":{}}')]).toEqual([400, 400, 400])
  await app.close()
})

test('the platform parses JSON bodies with this limit', async () => {
  const { app } = createTestApp({ features: [], db: {} as Db })
  const failed: number[] = []
  app.post('/wired', (request) => request.body)
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    failed.push(error.statusCode ?? 500)
    return reply.status(400).send()
  })
  const post = async (count: number) =>
    (await app.inject({ method: 'POST', url: '/wired', payload: `[${'0,'.repeat(count)}0]`, headers: { 'content-type': 'application/json' } })).statusCode
  expect([await post(9_000), await post(10_001), failed]).toEqual([200, 400, [400]])
  await app.close()
})
