import { beforeEach, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { risk } from '#features/risk/server/index.ts'
import { createSiteFeature } from '../index.ts'

const db = await useTestDb()
const clock = createTestClock()
const app = createTestApp({ features: [risk, createSiteFeature([])], db, clock })
const vote = (article: string, answer: string, { ip = '10.1.1.1', lang = 'zh' }: { readonly ip?: string; readonly lang?: 'zh' | 'en' } = {}) =>
  app.call('POST', '/common/helpVote', { article, answer }, { ip, lang })
const rows = () =>
  db.query<{ article: string; language: string; answer: string; votes: number }>(
    'select article, language, answer, votes from site_help_votes order by article, language, answer',
  )

beforeEach(async () => {
  await db.query('delete from site_help_votes')
  await db.query('delete from risk_counters')
})

test('answers are counted by article, language and kind', async () => {
  for (const [ip, lang] of [
    ['10.1.1.1', 'zh'],
    ['10.1.1.2', 'zh'],
    ['10.1.1.3', 'en'],
  ] as const)
    expect((await vote('quick-start', 'yes', { ip, lang })).code).toBe(200)
  expect((await vote('pricing', 'no')).code).toBe(200)
  expect((await vote('pricing', 'unclear')).code).toBe(200)
  expect(await rows()).toEqual([
    { article: 'pricing', language: 'zh', answer: 'no', votes: 1 },
    { article: 'pricing', language: 'zh', answer: 'unclear', votes: 1 },
    { article: 'quick-start', language: 'en', answer: 'yes', votes: 1 },
    { article: 'quick-start', language: 'zh', answer: 'yes', votes: 2 },
  ])
})

test('fifty answers at once from one address are one, and the next day one more', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => vote('errors', 'yes')))
  expect(answers.every((answer) => answer.code === 200)).toBe(true)
  expect((await rows())[0]!.votes).toBe(1)
  clock.advance(86_400_000 + 1)
  expect((await vote('errors', 'no')).code).toBe(200)
  expect((await rows()).map((row) => row.votes)).toEqual([1, 1])
})

test('an address that answers everything is refused after sixty an hour', async () => {
  const codes: number[] = []
  for (let at = 0; at < 61; at++) codes.push((await vote('errors', 'yes')).status)
  expect(codes.slice(0, 60).every((code) => code === 200)).toBe(true)
  expect(codes[60]).toBe(429)
})

test('unknown articles and answers are refused, and nothing is written', async () => {
  for (const [article, answer] of [
    ['no-such-article', 'yes'],
    ['quick-start', 'maybe'],
    ["x'; drop table site_help_votes; --", 'yes'],
    ['', 'yes'],
  ])
    expect((await vote(article!, answer!)).status).toBe(400)
  expect(await rows()).toEqual([])
})

test('nothing about the reader is kept', async () => {
  await vote('quick-start', 'yes', { ip: '203.0.113.77' })
  const kept =
    JSON.stringify(await db.query('select * from site_help_votes')) +
    JSON.stringify(await db.query('select bucket, encode(subject, $$hex$$) from risk_counters'))
  expect(kept).not.toContain('203.0.113.77')
  const columns = await db.query<{ columnName: string }>(`select column_name from information_schema.columns where table_name = 'site_help_votes'`)
  expect(columns.map((column) => column.columnName).sort()).toEqual(['answer', 'article', 'day', 'language', 'votes'])
})
