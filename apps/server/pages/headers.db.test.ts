import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { features } from '../features.ts'

const db = await useTestDb()
const clock = createTestClock()
const https = createTestApp({ features, db, clock, overrides: { publicUrl: () => 'https://mingxi.example' } })
const plain = createTestApp({ features, db })

const ASKED = [
  ['GET', '/common/site'],
  ['GET', '/user/info'],
  ['GET', '/no/such/page'],
  ['POST', '/user/passwordLogin'],
  ['POST', '/notify/25'],
  ['GET', '/.well-known/security.txt'],
] as const

test.each(ASKED)('%s %s opens nothing in a browser, and keeps it on https', async (method, url) => {
  const { headers } = await https.inject({ method, url })
  expect(headers).toMatchObject({
    'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
  expect((await plain.inject({ method, url })).headers).not.toHaveProperty('strict-transport-security')
})

test('a page of the sandbox keeps its own policy', async () => {
  const { headers } = await https.inject({ method: 'GET', url: '/sandbox/pay/no-such-token' })
  expect(headers['content-type']).toContain('text/html')
  expect(headers).toMatchObject({ 'content-security-policy': expect.stringContaining('style-src'), 'x-frame-options': 'DENY' })
})

test('security.txt never expires', async () => {
  const { body } = await https.inject({ method: 'GET', url: '/.well-known/security.txt' })
  expect(body).toMatch(
    /^Contact: mailto:support@mingxi\.example\nExpires: .+\nPreferred-Languages: zh, en\nCanonical: https:\/\/mingxi\.example\/\.well-known\/security\.txt\n$/,
  )
  clock.advance(400 * 86_400_000)
  const later = (await https.inject({ method: 'GET', url: '/.well-known/security.txt' })).body
  const days = (Date.parse(/Expires: (.+)/.exec(later)![1]!) - clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
})

const buildReport = (page: string) =>
  JSON.stringify({ 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'https://evil.example/x', 'document-uri': page } })
const send = (body: string) => https.inject({ method: 'POST', url: '/csp-report', payload: body, headers: { 'content-type': 'application/csp-report' } })
const selectReports = () => db.query<{ page: string; reports: number }>('select page, reports from site_policy_reports order by page')

test('reports against the policy are counted, sampled and bounded', async () => {
  expect((await send(buildReport('https://mingxi.example/api?me=1'))).statusCode).toBe(204)
  await send(buildReport('https://mingxi.example/api'))
  expect(await selectReports()).toEqual([{ page: '/api', reports: 2 }])
  expect((await send('x'.repeat(17_000))).statusCode).toBe(204)
  await Promise.all(Array.from({ length: 200 }, () => send(buildReport('https://mingxi.example/en'))))
  expect((await selectReports())[1]!.reports).toBe(58)
  await db.query(
    `insert into site_policy_reports (day, directive, blocked, page) select day, 'img-src', 'data', '/' || n from site_policy_reports, generate_series(1, 498) n where page = '/api'`,
  )
  clock.advance(60_000)
  const before = (await selectReports()).length
  await send(buildReport('https://mingxi.example/new'))
  await send(buildReport('https://mingxi.example/api'))
  const after = await selectReports()
  expect([after.length, after.find(({ page }) => page === '/api')?.reports]).toEqual([before, 3])
})
