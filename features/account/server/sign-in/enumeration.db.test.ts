import type * as argon2 from '@node-rs/argon2'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestReply } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser } from '../builders.ts'
import { account } from '../index.ts'
import { preparePasswords } from '../passwords/passwords.ts'
import { codesPerHour, codesPerIpHour, codesPerTargetDay, codesPerTargetHour, loginsInAll, loginsPerAccount, loginsPerIp, loginsPerPair } from '../settings.ts'

// The work of a call, which must be equal for all callers: its statements, and its password hashes, which take nearly all of its time.
const done: string[] = []
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return {
    hash: (...args: Parameters<typeof real.hash>) => (done.push('hash'), real.hash(...args)),
    verify: (...args: Parameters<typeof real.verify>) => (done.push('verify'), real.verify(...args)),
  }
})
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  const [asked] = args as [string | { text?: string }]
  done.push((typeof asked === 'string' ? asked : (asked.text ?? '')).replace(/\s+/g, ' ').trim())
  return query.apply(this, args)
} as typeof pg.Client.prototype.query
afterAll(() => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
})

interface Who {
  readonly email: string
  readonly mobile: string
}

const db = await useTestDb()
const clock = createTestClock()
const { call, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const { email, userId } = await aUser(deps)
const known: Who = { email, mobile: '13911110001' }
const unknown: Who = { email: 'user-nobody00000@example.com', mobile: '13911110002' }
await db.query(`insert into account_identities (kind, subject, display, user_id, verified_at, created_at) values ('mobile', $1, $1, $2, now(), now())`, [
  `+86${known.mobile}`,
  userId,
])
await preparePasswords()
await transact(db, SYSTEM, async (tx) => {
  for (const limit of [codesPerHour, codesPerIpHour, codesPerTargetDay, codesPerTargetHour, loginsInAll, loginsPerAccount, loginsPerIp, loginsPerPair])
    await deps.settings.set(tx, limit, 1_000_000)
})

const from = { ip: '203.0.113.200', headers: { 'x-request-id': 'same-request-id' } }
const password = 'a fine horse indeed'
const CALLS: Readonly<Record<string, (who: Who) => Promise<TestReply>>> = {
  'login by a wrong password': ({ email }) => call('POST', '/user/passwordLogin', { email, password: 'a wrong horse' }, from),
  'login by a wrong code': ({ email }) => call('POST', '/user/login', { email, verifyCode: '000000' }, from),
  'register by a wrong code': ({ email }) => call('POST', '/user/register', { email, password, verifyCode: '000000' }, from),
  'reset by a wrong code': ({ email }) => call('POST', '/user/forgotPassword', { email, password, verifyCode: '000000' }, from),
  'code to log in': ({ email }) => call('POST', '/user/email/verifyCode', { email, verifyCodeType: 'login' }, from),
  'code to register': ({ email }) => call('POST', '/user/email/verifyCode', { email, verifyCodeType: 'register' }, from),
  'code to reset': ({ email }) => call('POST', '/user/email/verifyCode', { email, verifyCodeType: 'updatePassword' }, from),
  'mobile: login by a wrong password': ({ mobile }) => call('POST', '/user/passwordLogin', { mobile, password: 'a wrong horse' }, from),
  'mobile: login by a wrong code': ({ mobile }) => call('POST', '/user/login', { mobile, verifyCode: '000000' }, from),
  'mobile: register by a wrong code': ({ mobile }) => call('POST', '/user/register', { mobile, verifyCode: '000000' }, from),
  'mobile: reset by a wrong code': ({ mobile }) => call('POST', '/user/forgotPassword', { mobile, password, verifyCode: '000000' }, from),
  'mobile: code to log in': ({ mobile }) => call('POST', `/user/login/verifyCode/${mobile}`, {}, from),
  'mobile: code to register': ({ mobile }) => call('POST', `/user/register/verifyCode/${mobile}`, {}, from),
  'mobile: code to reset': ({ mobile }) => call('POST', `/user/updatePassword/verifyCode/${mobile}`, {}, from),
}
/** Samples per side: `TIMING_SAMPLES=2000` for a release, on an otherwise idle machine (money.md A4). */
const WISHED = Number(process.env['TIMING_SAMPLES'] ?? 0)

const seen = ({ raw, status }: TestReply) => {
  const { date: _date, ...headers } = raw.headers
  // Tickets are as random as tokens, for every caller.
  return { status, headers, body: raw.body.replace(/"ticket":"[\w-]{43}"/, '"ticket":"…"') }
}

test.each(Object.keys(CALLS))('%s: status, headers and body are the same for a known and an unknown person', async (name) => {
  for (let round = 0; round < 3; round++) {
    expect(seen(await CALLS[name]!(known))).toEqual(seen(await CALLS[name]!(unknown)))
    if (round) clock.advance(60_000)
  }
})

test.each(Object.keys(CALLS))('%s: the same work is done for a known and an unknown person', async (name) => {
  const workOf = async (who: Who) => {
    clock.advance(60_000)
    await CALLS[name]!(who)
    await settle()
    clock.advance(60_000)
    done.length = 0
    await CALLS[name]!(who)
    return [...done]
  }
  const [one, other] = [await workOf(known), await workOf(unknown)]
  expect(one).toEqual(other)
  expect(one.length).toBeGreaterThan(0)
})

test.runIf(WISHED).each(Object.keys(CALLS))('%s: the time tells nothing (Mann-Whitney)', async (name) => {
  const sample = async (size: number) => {
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let n = 0; n < size; n++) {
      clock.advance(60_000)
      for (const who of Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const start = performance.now()
        await CALLS[name]!(who === 'known' ? known : unknown)
        times[who].push(performance.now() - start)
      }
    }
    return { p: mannWhitney(times.known, times.unknown), known: median(times.known), unknown: median(times.unknown) }
  }
  await sample(20)
  await settle()
  // Equal times fail at 0.01 once in a hundred: a second, independent sample must fail too before the test does.
  const size = WISHED
  const first = await sample(size)
  const result = first.p > 0.01 ? first : await sample(size)
  console.info(
    `timing: ${name}: p = ${first.p.toFixed(3)}${result === first ? '' : `, again ${result.p.toFixed(3)}`}; medians ${result.known.toFixed(2)} and ${result.unknown.toFixed(2)} ms`,
  )
  expect(result.p).toBeGreaterThan(0.01)
})

test('the statistic itself: equal samples pass, a shift of a tenth is seen', () => {
  const noise = () => Array.from({ length: 300 }, () => 1 + Math.random() * 0.3)
  expect(
    mannWhitney(
      noise(),
      noise().map((time) => time * 1.1),
    ),
  ).toBeLessThan(0.001)
  expect(mannWhitney([1, 2, 3, 4, 5, 6], [1.5, 2.5, 3.5, 4.5, 5.5, 0.5])).toBeGreaterThan(0.5)
})

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!

/** Two-sided p-value that two samples come from one distribution (normal approximation, ties ignored: times have none). */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map((value) => ({ value, a: true })), ...b.map((value) => ({ value, a: false }))].sort((x, y) => x.value - y.value)
  const rankSum = ranked.reduce((sum, item, index) => sum + (item.a ? index + 1 : 0), 0)
  const u = rankSum - (a.length * (a.length + 1)) / 2
  const z = Math.abs(u - (a.length * b.length) / 2) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return 2 * (1 - normalCdf(z))
}

/** Abramowitz and Stegun 26.2.17, good to 7.5e-8. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - tail
}
