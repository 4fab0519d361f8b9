import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestReply } from '#platform/testing/http.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, readMailedCode } from '../builders.ts'
import { account } from '../index.ts'

const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let senders = 0
const otherIp = () => `198.51.${Math.floor(++senders / 250)}.${senders % 250}`
/** Each call defaults to its own address, because wrong codes are also counted by address. */
const PATHS = {
  login: (email: string, verifyCode: string, ip = otherIp()) => call('POST', '/user/login', { email, verifyCode }, { ip }),
  register: (email: string, verifyCode: string, ip = otherIp()) =>
    call('POST', '/user/register', { email, verifyCode, password: 'correct horse battery' }, { ip }),
  updatePassword: (email: string, verifyCode: string, ip = otherIp()) =>
    call('POST', '/user/forgotPassword', { email, verifyCode, password: 'correct horse battery' }, { ip }),
} as const
type Purpose = keyof typeof PATHS

const requestCode = (email: string, verifyCodeType: string, ip = otherIp()) => call('POST', '/user/email/verifyCode', { email, verifyCodeType }, { ip })
async function code(email: string, purpose: string): Promise<string> {
  expect((await requestCode(email, purpose)).code).toBe(200)
  await settle()
  return readMailedCode(deps, email)
}
const wrong = (right: string, n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0')
const compared = async (email: string, purpose: Purpose) =>
  (
    await db.query<{ guesses: number }>('select guesses + strange_guesses as guesses from account_codes where target = $1 and purpose = $2', [email, purpose])
  )[0]!.guesses
/** A fresh address that is valid for the purpose. */
const target = async (purpose: Purpose) => (purpose === 'register' ? `new${++senders}@example.com` : (await aUser(deps)).email)

/** Sends 20 concurrent guesses at each code; GUESS_WAVES=50 for a release, 1,000 at each code. */
const WAVES = Number(process.env['GUESS_WAVES'] ?? 1)
const GUESSES = 20

test.each([
  ['login', 10],
  ['register', 5],
  ['updatePassword', 5],
] as const)('brute force on %s: a day of codes, guesses at each, in parallel and from many addresses', async (purpose, codes) => {
  const email = await target(purpose)
  let tried = 0
  let evaluated = 0
  for (let round = 0; round < codes; round++) {
    const right = await code(email, purpose)
    for (let wave = 0; wave < WAVES; wave++) {
      const guesses = Array.from({ length: GUESSES }, (_, n) => (tried++, PATHS[purpose](email, wrong(right, wave * GUESSES + n), otherIp())))
      expect(new Set((await Promise.all(guesses)).map((answer) => answer.code))).toEqual(new Set([1009]))
    }
    expect((await PATHS[purpose](email, right)).code).toBe(1009)
    evaluated += await compared(email, purpose)
    clock.advance(HOUR)
  }
  expect(tried).toBe(codes * GUESSES * WAVES)
  expect(evaluated).toBe(codes * 5)
  if (codes === 10) expect(await requestCode(email, purpose)).toMatchObject({ status: 429, code: 429, data: { retryAfterSeconds: 14 * 3600 } })
})

test('parallel guesses of which half are right: at most five are compared and at most one passes', async () => {
  for (let round = 0; round < WAVES; round++) {
    const email = await target('login')
    const right = await code(email, 'login')
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => PATHS.login(email, n % 2 ? right : wrong(right, n))))
    expect(answers.filter((answer) => answer.code === 200).length).toBeLessThanOrEqual(1)
    expect(await compared(email, 'login')).toBeLessThanOrEqual(5)
  }
})

test('the fifth guess may be right; a used code is dead', async () => {
  const email = await target('login')
  const right = await code(email, 'login')
  for (let n = 0; n < 4; n++) expect((await PATHS.login(email, wrong(right, n))).code).toBe(1009)
  expect((await PATHS.login(email, right)).code).toBe(200)
  expect((await PATHS.login(email, right)).code).toBe(1009)
})

test('guesses are kept when the code is sent again, and the old code is dead', async () => {
  const email = await target('login')
  const old = await code(email, 'login')
  clock.advance(MINUTE)
  const fresh = await code(email, 'login')
  if (old !== fresh) expect((await PATHS.login(email, old)).code).toBe(1009)
  expect((await PATHS.login(email, fresh)).code).toBe(200)
})

test('a code serves one purpose and one address', async () => {
  const email = await target('login')
  const other = await target('login')
  const right = await code(email, 'login')
  expect((await PATHS.updatePassword(email, right)).code).toBe(1009)
  expect((await PATHS.register(email, right)).code).toBe(1009)
  expect((await PATHS.login(other, right)).code).toBe(1009)
  expect((await PATHS.login(email.toUpperCase(), right)).code).toBe(200)
})

test('a code lives ten minutes', async () => {
  const email = await target('login')
  const right = await code(email, 'login')
  clock.advance(10 * MINUTE - 1)
  const late = await target('login')
  const lateCode = await code(late, 'login')
  expect((await PATHS.login(email, right)).code).toBe(200)
  clock.advance(10 * MINUTE)
  expect((await PATHS.login(late, lateCode)).code).toBe(1009)
})

test('at most one code a minute, five an hour, ten a day to an address; refusals cost nothing', async () => {
  const email = 'limits@example.com'
  const statuses = async (times: number, pause: number) => {
    const answers: TestReply[] = []
    for (let n = 0; n < times; n++) {
      answers.push(await requestCode(email, n % 2 ? 'login' : 'updatePassword'))
      clock.advance(pause)
    }
    return answers.map((answer) => answer.code)
  }
  expect((await requestCode(email, 'login')).data).toEqual({ resendAfterSeconds: 60, expiresInSeconds: 600, ticket: expect.stringMatching(/^[\w-]{43}$/) })
  clock.advance(59_000)
  expect(await requestCode(email, 'login')).toMatchObject({ status: 429, code: 1014, msg: '验证码刚刚发送，请在 1 秒后重试', data: { retryAfterSeconds: 1 } })
  clock.advance(1000)
  expect(await statuses(6, 2 * MINUTE)).toEqual([200, 200, 200, 200, 429, 429])
  clock.advance(HOUR)
  expect(await statuses(6, 2 * MINUTE)).toEqual([200, 200, 200, 200, 200, 429])
  clock.advance(HOUR)
  expect(await requestCode(email, 'register')).toMatchObject({ status: 429, data: { retryAfterSeconds: expect.any(Number) } })
  clock.advance(22 * HOUR)
  expect((await requestCode(email, 'register')).code).toBe(200)
})

test('a refused request leaves the code before alive', async () => {
  const email = await target('login')
  const right = await code(email, 'login')
  expect((await requestCode(email, 'login')).code).toBe(1014)
  expect((await PATHS.login(email, right)).code).toBe(200)
})

test('twenty codes an hour from one IP address (an IPv6 /64 is one), parallel ones included', async () => {
  const many = (ip: (n: number) => string) => Promise.all(Array.from({ length: 40 }, (_, n) => requestCode(`bomb${++senders}@example.com`, 'login', ip(n))))
  expect((await many(() => '192.0.2.77')).filter((answer) => answer.code === 200)).toHaveLength(20)
  expect((await many((n) => `2001:db8:7:7::${n + 1}`)).filter((answer) => answer.code === 200)).toHaveLength(20)
})

test('codes for oneself need a session, and another user cannot use them', async () => {
  const user = await aUser(deps)
  expect(await requestCode(user.email, 'verify')).toMatchObject({ status: 401 })
  const me = callAs(user.token)
  const send = (email: string, verifyCodeType: string) => me('POST', '/user/email/verifyCode', { email, verifyCodeType }, { ip: otherIp() })
  expect((await send(user.email, 'verify')).code).toBe(200)
  expect((await send('fresh-box@example.com', 'updateEmail')).code).toBe(200)
  const stranger = await aUser(deps)
  expect((await send(stranger.email, 'updateEmail')).code).toBe(200)
  await settle()
  expect((await listSandboxMails(db, user.email))[0]!.code).toMatch(/^\d{6}$/)
  expect((await listSandboxMails(db, 'fresh-box@example.com'))[0]!.code).toMatch(/^\d{6}$/)
  expect((await listSandboxMails(db, stranger.email))[0]).toMatchObject({ code: null, subject: '【明细】该邮箱已注册' })
})

test.each([
  ['login', false, '该邮箱尚未注册', false],
  ['login', true, '验证码', true],
  ['updatePassword', false, '该邮箱尚未注册', false],
  ['updatePassword', true, '验证码', true],
  ['register', true, '该邮箱已注册', false],
  ['register', false, '验证码', true],
] as const)('%s with an account %s: the mailbox receives "%s"', async (purpose, exists, subject, usable) => {
  const email = exists ? (await aUser(deps)).email : `box${++senders}@example.com`
  clock.advance(MINUTE)
  await requestCode(email, purpose)
  await settle()
  const [mail] = await listSandboxMails(db, email)
  expect(mail!.subject).toContain(subject)
  expect(mail!.code !== null).toBe(usable)
  if (!usable) expect(mail!.text).not.toMatch(/\d{6}/)
})

test('wrong codes from one address are counted over all accounts, and only that address is refused', async () => {
  const [from, other] = [otherIp(), otherIp()]
  const answers = []
  for (let n = 0; n < 62; n++) answers.push((await PATHS.login(`somebody${n}@example.com`, '000000', from)).code)
  expect([new Set(answers.slice(0, 60)), answers.slice(60)]).toEqual([new Set([1009]), [429, 429]])
  expect((await PATHS.login('somebody1@example.com', '000000', other)).code).toBe(1009)
  clock.advance(HOUR)
  expect((await PATHS.login('somebody1@example.com', '000000', from)).code).toBe(1009)
})
