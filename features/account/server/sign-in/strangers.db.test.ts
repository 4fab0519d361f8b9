import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, readMailedCode, readTextedCode } from '../builders.ts'
import { account } from '../index.ts'
import { codesPerHour } from '../settings.ts'

// Attacks of a stranger on the owner of a mailbox: guesses to burn the owner's code, floods to empty budgets (V4).
const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const HOUR = 3_600_000
const WRONG = 1009
const PASSWORD = 'correct horse battery'

let senders = 0
const stranger = () => ({ ip: `198.51.${Math.floor(++senders / 250)}.${senders % 250}` })
const wrong = (right: string, n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0')
const requestCode = (email: string, verifyCodeType: string, ip: string) => call('POST', '/user/email/verifyCode', { email, verifyCodeType }, { ip })

const PURPOSES = {
  login: (email: string, verifyCode: string, codeTicket?: string) => call('POST', '/user/login', { email, verifyCode, codeTicket }, stranger()),
  register: (email: string, verifyCode: string, codeTicket?: string) =>
    call('POST', '/user/register', { email, verifyCode, codeTicket, password: PASSWORD }, stranger()),
  updatePassword: (email: string, verifyCode: string, codeTicket?: string) =>
    call('POST', '/user/forgotPassword', { email, verifyCode, codeTicket, password: PASSWORD }, stranger()),
} as const

test.each(Object.keys(PURPOSES) as (keyof typeof PURPOSES)[])(
  '%s: strangers who guess until nothing is compared any more leave the owner all five guesses',
  async (purpose) => {
    const email = purpose === 'register' ? 'owner-to-be@example.com' : (await aUser(deps)).email
    const guess = PURPOSES[purpose]
    const { ticket } = (await requestCode(email, purpose, '203.0.113.9')).data
    await settle()
    const right = await readMailedCode(deps, email)
    const guesses = Array.from({ length: 100 }, (_, n) => guess(email, wrong(right, n), n % 2 ? 'x'.repeat(43) : undefined))
    expect(new Set((await Promise.all(guesses)).map((answer) => answer.code))).toEqual(new Set([WRONG]))
    // Without the ticket even the correct code is refused now: five of a million guesses is the limit.
    expect((await guess(email, right)).code).toBe(WRONG)
    for (let n = 0; n < 4; n++) expect((await guess(email, wrong(right, n), ticket)).code).toBe(WRONG)
    expect((await guess(email, right, ticket)).code).toBe(200)
    expect(await db.query('select guesses, strange_guesses from account_codes where target = $1 and purpose = $2', [email, purpose])).toEqual([
      { guesses: 5, strangeGuesses: 5 },
    ])
  },
)

test('the holder of the ticket has five guesses too', async () => {
  const { email } = await aUser(deps)
  const { ticket } = (await requestCode(email, 'login', stranger().ip)).data
  await settle()
  const right = await readMailedCode(deps, email)
  await Promise.all(Array.from({ length: 50 }, (_, n) => PURPOSES.login(email, wrong(right, n), ticket)))
  expect((await PURPOSES.login(email, right, ticket)).code).toBe(WRONG)
})

test('another user who is signed in cannot burn the code that a user asked for', async () => {
  const [owner, other] = [await aUser(deps), await aUser(deps)]
  const box = 'next-box@example.com'
  expect((await callAs(owner.token)('POST', '/user/email/verifyCode', { email: box, verifyCodeType: 'updateEmail' }, stranger())).code).toBe(200)
  await settle()
  const right = await readMailedCode(deps, box)
  for (let n = 0; n < 9; n++) expect((await callAs(other.token)('POST', '/user/updateEmail', { email: box, verifyCode: wrong(right, n) })).code).toBe(WRONG)
  expect((await callAs(owner.token)('POST', '/user/updateEmail', { email: box, verifyCode: right })).code).toBe(200)
})

test('a code to sign in with serves registering for the holder of its ticket', async () => {
  const mobile = aMobile()
  const { ticket } = (await call('POST', `/user/login/verifyCode/${mobile}`, {}, stranger())).data
  await settle()
  const verifyCode = await readTextedCode(deps, mobile)
  expect((await call('POST', '/user/login', { mobile, verifyCode, codeTicket: ticket }, stranger())).code).toBe(1027)
  for (let n = 0; n < 9; n++) await call('POST', '/user/register', { mobile, verifyCode: wrong(verifyCode, n) }, stranger())
  expect((await call('POST', '/user/register', { mobile, verifyCode, codeTicket: ticket }, stranger())).code).toBe(200)
})

test('a flood that empties the budgets of a target and of all leaves the owner at home alone; strangers cannot tell who has an account', async () => {
  clock.advance(25 * HOUR)
  const owner = await aUser(deps)
  const home = '203.0.113.77'
  // Signing in makes the owner's address known.
  expect((await call('POST', '/user/passwordLogin', owner, { ip: home })).code).toBe(200)
  const flood = async (email: string) => {
    for (let n = 0; n < 5; n++) {
      expect((await requestCode(email, 'login', stranger().ip)).code).toBe(200)
      clock.advance(61_000)
    }
    return requestCode(email, 'login', stranger().ip)
  }
  expect((await flood(owner.email)).status).toBe(429)
  expect((await flood('nobody-here@example.com')).status).toBe(429)
  expect((await requestCode(owner.email, 'login', home)).code).toBe(200)

  clock.advance(2 * HOUR)
  await transact(db, SYSTEM, async (tx) => deps.settings.set(tx, codesPerHour, 3))
  for (let n = 0; n < 3; n++) expect((await requestCode(`flood-${n}@example.com`, 'login', stranger().ip)).code).toBe(200)
  const other = await aUser(deps)
  expect([(await requestCode(other.email, 'login', stranger().ip)).status, (await requestCode('nobody@example.com', 'login', stranger().ip)).status]).toEqual([
    429, 429,
  ])
  expect((await requestCode(owner.email, 'login', home)).code).toBe(200)
  await transact(db, SYSTEM, async (tx) => deps.settings.set(tx, codesPerHour, 5_000))
})

test('one block of addresses has a budget of its own', async () => {
  clock.advance(25 * HOUR)
  let refused: number | undefined
  for (let n = 0; n < 110 && refused === undefined; n++) {
    const answer = await requestCode(`block-${n}@example.com`, 'login', `192.0.2.${(n % 10) + 1}`)
    if (answer.code !== 200) refused = n
  }
  expect(refused).toBe(100)
  expect((await requestCode('block-other@example.com', 'login', '192.0.3.1')).code).toBe(200)
})
