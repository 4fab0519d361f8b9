import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestReply } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, readMailedCode, readTextedCode } from '../builders.ts'
import { account } from '../index.ts'

// All endpoints that take a code by mobile or for a signed-in user, in addition to codes.db.test.ts (money.md A1, A5).
const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const HOUR = 3_600_000
const PASSWORD = 'correct horse battery'
const PAY = '849371'

let senders = 0
const ip = () => `198.51.${Math.floor(++senders / 250) % 250}.${senders % 250}`

interface Path {
  readonly purpose: string
  readonly target: string
  send(): Promise<TestReply>
  code(): Promise<string>
  guess(code: string): Promise<TestReply>
}

const byMobile =
  (
    purpose: string,
    sender: string,
    { guess, exists }: { readonly guess: (mobile: string, verifyCode: string) => Promise<TestReply>; readonly exists: boolean },
  ) =>
  async (): Promise<Path> => {
    const mobile = aMobile()
    if (exists) await aUser(deps, { mobile })
    return {
      purpose,
      target: `+86${mobile}`,
      send: () => call('POST', `/user/${sender}/verifyCode/${mobile}`, {}, { ip: ip() }),
      code: () => readTextedCode(deps, mobile),
      guess: (code) => guess(mobile, code),
    }
  }

type Me = ReturnType<typeof callAs>
interface Own {
  readonly purpose: string
  readonly send: (me: Me) => Promise<TestReply>
  readonly guess: (me: Me, code: string, email: string) => Promise<TestReply>
}
const own =
  ({ purpose, send, guess }: Own) =>
  async (): Promise<Path> => {
    const user = await aUser(deps)
    const me: Me = (method, path, input) => callAs(user.token)(method, path, input, { ip: ip() })
    // the session stays fresh whatever the clock says, because only the code is under test
    await db.query(`update account_sessions set proven_at = 'infinity', expires_at = 'infinity' where id = $1`, [user.sessionId])
    return { purpose, target: user.email, send: () => send(me), code: () => readMailedCode(deps, user.email), guess: (code) => guess(me, code, user.email) }
  }

const signUpByNewEmail = (purpose: string) => async (): Promise<Path> => {
  const user = await aUser(deps)
  const box = `new-box-${++senders}@example.com`
  const me: Me = (method, path, input) => callAs(user.token)(method, path, input, { ip: ip() })
  await db.query(`update account_sessions set proven_at = 'infinity', expires_at = 'infinity' where id = $1`, [user.sessionId])
  return {
    purpose,
    target: box,
    send: () => me('POST', '/user/email/verifyCode', { email: box, verifyCodeType: purpose }),
    code: () => readMailedCode(deps, box),
    guess: (verifyCode) => me('POST', '/user/updateEmail', { email: box, verifyCode }),
  }
}

const signUpByNewMobile = async (): Promise<Path> => {
  const user = await aUser(deps)
  const mobile = aMobile()
  const me: Me = (method, path, input) => callAs(user.token)(method, path, input, { ip: ip() })
  await db.query(`update account_sessions set expires_at = 'infinity' where id = $1`, [user.sessionId])
  return {
    purpose: 'bindMobile',
    target: `+86${mobile}`,
    send: () => me('POST', `/user/updateUserMobile/newMobileVerifyCode/${mobile}`),
    code: () => readTextedCode(deps, mobile),
    guess: (verifyCode) => me('POST', '/user/updateUserMobile/verifyLastStep', { newMobile: mobile, verifyCode, verifyFlow: 'f'.repeat(43) }),
  }
}

const PATHS: Readonly<Record<string, () => Promise<Path>>> = {
  'login by mobile': byMobile('login', 'login', {
    guess: (mobile, verifyCode) => call('POST', '/user/login', { mobile, verifyCode }, { ip: ip() }),
    exists: true,
  }),
  'login by a mobile without account': byMobile('login', 'login', {
    guess: (mobile, verifyCode) => call('POST', '/user/login', { mobile, verifyCode }, { ip: ip() }),
    exists: false,
  }),
  'register by mobile': byMobile('register', 'register', {
    guess: (mobile, verifyCode) => call('POST', '/user/register', { mobile, verifyCode }, { ip: ip() }),
    exists: false,
  }),
  'reset by mobile': byMobile('updatePassword', 'updatePassword', {
    guess: (mobile, verifyCode) => call('POST', '/user/forgotPassword', { mobile, verifyCode, password: PASSWORD }, { ip: ip() }),
    exists: true,
  }),
  'change the password': own({
    purpose: 'updatePassword',
    send: (me) => me('POST', '/user/verify/verifyCode/updatePassword'),
    guess: (me, verifyCode, email) => me('POST', '/user/updatePassword', { email, verifyCode, password: PASSWORD }),
  }),
  'step up': own({
    purpose: 'stepUp',
    send: (me) => me('POST', '/user/sendSecondaryVerify'),
    guess: (me, verifyCode) => me('POST', '/user/secondaryVerify', { verifyCode }),
  }),
  'change the e-mail': signUpByNewEmail('updateEmail'),
  'the old contact': own({
    purpose: 'updateMobile',
    send: (me) => me('POST', '/user/updateUserMobile/verifyCode'),
    guess: (me, verifyCode) => me('GET', '/user/updateUserMobile/verify', { verifyCode }),
  }),
  'the new mobile': signUpByNewMobile,
  'the payment password': own({
    purpose: 'payPassword',
    send: (me) => me('POST', '/user/verify/password/verifyCode/email'),
    guess: (me, verifyCode) => me('POST', '/account/setPayPassword', { password: PAY, verifyCode }),
  }),
  'close the account': own({
    purpose: 'deleteAccount',
    send: (me) => me('POST', '/user/verify/verifyCode/deleteAccount'),
    guess: (me, verifyCode) => me('POST', '/v1/user/deleteAccount', { verifyCode }),
  }),
}

const wrong = (right: string, n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0')
const guessesAt = async ({ target, purpose }: Path) =>
  (
    await db.query<{ guesses: number }>('select guesses + strange_guesses as guesses from account_codes where target = $1 and purpose = $2', [target, purpose])
  )[0]!.guesses

/** Sends 20 concurrent guesses at each of ten codes; GUESS_WAVES=50 for a release, 10 000 guesses a path. */
const WAVES = Number(process.env['GUESS_WAVES'] ?? 1)
const GUESSES = 20

test.each(Object.keys(PATHS))('brute force on: %s. Ten codes a day, guesses at each, in parallel and from many addresses', async (name) => {
  const path = await PATHS[name]!()
  let tried = 0
  let evaluated = 0
  for (let round = 0; round < 10; round++) {
    expect((await path.send()).code).toBe(200)
    await settle()
    const right = await path.code()
    for (let wave = 0; wave < WAVES; wave++) {
      const guesses = Array.from({ length: GUESSES }, (_, n) => (tried++, path.guess(wrong(right, wave * GUESSES + n))))
      expect(new Set((await Promise.all(guesses)).map((answer) => answer.code))).toEqual(new Set([1009]))
    }
    expect((await path.guess(right)).code).toBe(1009)
    evaluated += await guessesAt(path)
    clock.advance(HOUR)
  }
  expect({ tried, evaluated }).toEqual({ tried: 10 * GUESSES * WAVES, evaluated: 50 })
  const eleventh = await path.send()
  expect(eleventh).toMatchObject({ status: 429, code: 429, data: { retryAfterSeconds: 14 * 3600 } })
  console.info(`codes: ${name}: ${tried} guesses tried, ${evaluated} compared, 0 passed; the eleventh code of the day refused`)
})

test.each(Object.keys(PATHS))('%s: a code is good once, not after ten minutes, not after another was sent', async (name) => {
  const late = await PATHS[name]!()
  expect((await late.send()).data).toMatchObject({ resendAfterSeconds: 60, expiresInSeconds: 600 })
  expect((await late.send()).code).toBe(1014)
  await settle()
  const old = await late.code()
  clock.advance(600_000)
  expect((await late.guess(old)).code).toBe(1009)
  expect((await late.send()).code).toBe(200)
  await settle()
  const fresh = await late.code()
  if (fresh !== old) expect((await late.guess(old)).code).toBe(1009)
  const first = (await late.guess(fresh)).code
  expect([200, 1027, 1021]).toContain(first)
  // an invalid flow does not consume the new mobile's code, because nothing was bound
  if (first !== 1021) expect([1009, 1024, 1035, 401, 1019]).toContain((await late.guess(fresh)).code)
})

test('no code serves another path', async () => {
  const paths = await Promise.all(Object.values(PATHS).map((make) => make()))
  for (const path of paths) expect((await path.send()).code, path.purpose).toBe(200)
  await settle()
  for (const path of paths) {
    const code = await path.code()
    for (const other of paths)
      if (other !== path && (await other.code()) !== code) expect((await other.guess(code)).code, `${path.purpose} at ${other.purpose}`).toBe(1009)
    clock.advance(61_000)
    for (const one of paths) await db.query('update account_codes set guesses = 0, strange_guesses = 0 where target = $1', [one.target])
  }
})

test("a signed-in user's code is of no use to another user, even for the same contact", async () => {
  const box = 'contested@example.com'
  const one = await aUser(deps)
  const other = await aUser(deps)
  expect((await callAs(one.token)('POST', '/user/email/verifyCode', { email: box, verifyCodeType: 'updateEmail' }, { ip: ip() })).code).toBe(200)
  await settle()
  const verifyCode = await readMailedCode(deps, box)
  expect((await callAs(other.token)('POST', '/user/updateEmail', { email: box, verifyCode }, { ip: ip() })).code).toBe(1009)
  expect((await callAs(one.token)('POST', '/user/updateEmail', { email: box, verifyCode }, { ip: ip() })).code).toBe(200)
})

test('text messages are limited as mails are: five an hour, ten a day to a number, twenty an hour from an address', async () => {
  const mobile = aMobile()
  const from = '192.0.2.78'
  const codes: number[] = []
  for (let n = 0; n < 7; n++) {
    codes.push((await call('POST', `/user/${n % 2 ? 'login' : 'register'}/verifyCode/${mobile}`, {}, { ip: ip() })).code)
    clock.advance(120_000)
  }
  expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429])
  const bombed = await Promise.all(Array.from({ length: 40 }, () => call('POST', `/user/login/verifyCode/${aMobile()}`, {}, { ip: from })))
  expect(bombed.filter((answer) => answer.code === 200)).toHaveLength(20)
})
