import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, readMailedCode, readTextedCode } from '../builders.ts'
import type { BuiltSession } from '../builders.ts'
import { requirePayPassword } from '../door.ts'
import { account } from '../index.ts'
import { findPayWeakness } from './weak-pay-passwords.ts'

const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const { callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const RIGHT = '849371'
const NEXT = '937104'

const as = (user: BuiltSession) => callAs(user.token)
const verify = (user: BuiltSession, password: string) => as(user)('POST', '/account/verifyPayPassword', { password })
const row = async (user: BuiltSession) =>
  (
    await db.query<{ hash: string; tries: number; streak: number }>('select hash, tries, streak from account_pay_passwords where user_id = $1', [user.userId])
  )[0]!

async function codeFor(user: BuiltSession & { email: string }): Promise<string> {
  clock.advance(3_600_000)
  await db.query(`update account_sessions set expires_at = 'infinity' where id = $1`, [user.sessionId])
  await db.query('delete from risk_counters')
  expect((await as(user)('POST', '/user/verify/password/verifyCode/email')).code).toBe(200)
  await settle()
  return readMailedCode(deps, user.email)
}
async function withPay() {
  const user = await aUser(deps)
  expect((await as(user)('POST', '/account/setPayPassword', { password: RIGHT, verifyCode: await codeFor(user) })).code).toBe(200)
  return user
}
const reset = async (user: BuiltSession & { email: string }, password: string) =>
  as(user)('POST', '/account/resetPayPassword', { password, verifyCode: await codeFor(user) })

test('the payment password is set by a code, verified, and changed with the old one; each change sends a mail', async () => {
  const user = await aUser(deps)
  expect((await verify(user, RIGHT)).data).toEqual({ resultType: 1, failCount: 0 })
  const code = await codeFor(user)
  expect((await as(user)('POST', '/account/setPayPassword', { password: RIGHT, verifyCode: '000000' === code ? '000001' : '000000' })).code).toBe(1009)
  expect((await as(user)('POST', '/account/setPayPassword', { password: RIGHT, verifyCode: code })).code).toBe(200)
  expect((await as(user)('GET', '/user/info')).data.existPayPassword).toBe(true)
  expect((await as(user)('POST', '/account/setPayPassword', { password: NEXT, verifyCode: code })).code).toBe(1035)
  expect((await verify(user, RIGHT)).data).toEqual({ resultType: 0, failCount: 0 })
  expect((await verify(user, NEXT)).data).toEqual({ resultType: 2, failCount: 1 })
  expect((await as(user)('POST', '/account/modifyPayPassword', { oldPassword: NEXT, password: '736195' })).data).toEqual({ resultType: 2, failCount: 2 })
  expect((await as(user)('POST', '/account/modifyPayPassword', { oldPassword: RIGHT, password: NEXT })).data).toEqual({ resultType: 0, failCount: 0 })
  expect((await verify(user, RIGHT)).data.resultType).toBe(2)
  expect((await verify(user, NEXT)).data.resultType).toBe(0)
  await settle()
  expect((await listSandboxMails(db, user.email)).filter((mail) => mail.subject.includes('支付密码已变更'))).toHaveLength(2)
})

test('the code may go to the mobile; the number is no payment password', async () => {
  const user = await aUser(deps, { mobile: aMobile() })
  expect((await as(user)('POST', '/user/verify/password/verifyCode/email')).code).toBe(1023)
  const sent = await as(user)('POST', '/user/verify/verifyCode/payPassword')
  expect(sent.data).toMatchObject({ kind: 'mobile', sentTo: expect.stringMatching(/^139\*{4}\d{4}$/) })
  await settle()
  const verifyCode = await readTextedCode(deps, user.mobile)
  expect((await as(user)('POST', '/account/setPayPassword', { password: user.mobile.slice(-6), verifyCode })).code).toBe(1034)
  expect((await as(user)('POST', '/account/setPayPassword', { password: RIGHT, verifyCode })).code).toBe(200)
})

test('after five wrong tries only a reset by code unlocks it; a right one before clears the count', async () => {
  const user = await withPay()
  for (let n = 1; n <= 4; n++) expect((await verify(user, `83916${n}`)).data).toEqual({ resultType: 2, failCount: n })
  expect((await verify(user, RIGHT)).data.resultType).toBe(0)
  for (let n = 1; n <= 4; n++) expect((await verify(user, `83916${n}`)).data).toEqual({ resultType: 2, failCount: n })
  expect((await verify(user, '839165')).data).toEqual({ resultType: 3, failCount: 5 })
  clock.advance(3 * 86_400_000)
  expect((await verify(user, RIGHT)).data).toEqual({ resultType: 3, failCount: 5 })
  expect((await as(user)('POST', '/account/modifyPayPassword', { oldPassword: RIGHT, password: NEXT })).data.resultType).toBe(3)
  await expect(requirePayPassword(deps, user.userId, RIGHT)).rejects.toMatchObject({ errorName: 'PAY_PASSWORD_LOCKED' })
  expect((await reset(user, NEXT)).code).toBe(200)
  expect((await verify(user, NEXT)).data).toEqual({ resultType: 0, failCount: 0 })
})

test('5 000 guesses in parallel: at most five of each 200 are compared', async () => {
  let tried = 0
  let compared = 0
  for (let round = 0; round < 25; round++) {
    const user = await withPay()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => (tried++, verify(user, String(300_000 + round * 200 + n)))))
    const wrong = answers.filter((answer) => answer.data.resultType === 2).length
    expect(answers.every((answer) => answer.data.resultType >= 2)).toBe(true)
    expect((await row(user)).tries).toBe(5)
    compared += wrong + 1 // the fifth returns the limit
    expect(wrong).toBe(4)
    expect((await verify(user, RIGHT)).data.resultType).toBe(3)
  }
  console.info(`payment password: ${tried} guesses tried in parallel, ${compared} compared, 0 passed`)
})

test('the right one passes each of twelve parallel requests, also after four wrong ones', async () => {
  const user = await withPay()
  for (const wrong of ['300001', '300002', '300003', '300004']) expect((await verify(user, wrong)).data.resultType).toBe(2)
  const answers = await Promise.all(Array.from({ length: 12 }, () => verify(user, RIGHT)))
  expect(answers.map((answer) => answer.data.resultType)).toEqual(Array.from({ length: 12 }, () => 0))
  expect(await row(user)).toMatchObject({ tries: 0, streak: 0 })
})

test('after twenty wrong ones in a row, over any number of resets, only customer service can help', async () => {
  const user = await withPay()
  let compared = 0
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 5; n++) {
      expect((await verify(user, String(530_000 + round * 10 + n))).data.resultType).toBe(n === 4 ? 3 : 2)
      compared++
    }
    expect((await reset(user, round % 2 ? RIGHT : NEXT)).code).toBe(round === 3 ? 1033 : 200)
  }
  expect(compared).toBe(20)
  expect((await row(user)).streak).toBe(20)
  await expect(requirePayPassword(deps, user.userId, NEXT)).rejects.toMatchObject({ errorName: 'PAY_PASSWORD_BLOCKED' })
})

test('requirePayPassword reports a wrong one with the tries that are left', async () => {
  const fresh = await aUser(deps)
  await expect(requirePayPassword(deps, fresh.userId, RIGHT)).rejects.toMatchObject({ errorName: 'PAY_PASSWORD_NOT_SET' })
  const user = await withPay()
  await expect(requirePayPassword(deps, user.userId, RIGHT)).resolves.toBeUndefined()
  await expect(requirePayPassword(deps, user.userId, NEXT)).rejects.toMatchObject({ errorName: 'PAY_PASSWORD_WRONG', data: { failCount: 1, triesLeft: 4 } })
})

test('of parallel changes by the same old one, one wins', async () => {
  const user = await withPay()
  const wishes = ['736195', '628407', '957302']
  const answers = await Promise.all(wishes.map((password) => as(user)('POST', '/account/modifyPayPassword', { oldPassword: RIGHT, password })))
  const won = answers.map((answer) => answer.data.resultType).indexOf(0)
  expect(answers.filter((answer) => answer.data.resultType === 0)).toHaveLength(1)
  expect((await verify(user, wishes[won]!)).data.resultType).toBe(0)
})

test('it is stored as argon2id under the installation key: equal digits of two users have different hashes', async () => {
  const [one, other] = [await withPay(), await withPay()]
  expect((await row(one)).hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await row(one)).hash).not.toBe((await row(other)).hash)
  await db.query('update account_pay_passwords p set hash = o.hash from account_pay_passwords o where p.user_id = $1 and o.user_id = $2', [
    one.userId,
    other.userId,
  ])
  expect((await verify(one, RIGHT)).data.resultType).toBe(2)
})

test.each([
  '123456',
  '654321',
  '000000',
  '864208',
  '112233',
  '121212',
  '123123',
  '123321',
  '147258',
  '199012',
  '201314',
  '840716',
  '160784',
  '071684',
  '010190',
])('refused: %s', (password) => {
  expect(findPayWeakness(password, '+8613912345678')).toBeDefined()
})

test('the number of the own mobile is refused, and nine of ten others are not', () => {
  expect(findPayWeakness('345678', '+8613912345678')).toBeDefined()
  expect(findPayWeakness('139188', '+8613918899776')).toBe('phone')
  expect(findPayWeakness('997763', '+8613918997763')).toBe('phone')
  let open = 0
  for (let n = 0; n < 1_000_000; n += 37) if (!findPayWeakness(String(n).padStart(6, '0'), null)) open++
  expect(open / (1_000_000 / 37)).toBeGreaterThan(0.88)
  fc.assert(fc.property(fc.integer({ min: 0, max: 999_999 }), (n) => void findPayWeakness(String(n).padStart(6, '0'), '+85298765432')))
})
