import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { listSandboxSms } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { aCaptchaParam, chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, readTextedCode } from '../builders.ts'
import { findContact } from '../door.ts'
import { account } from '../index.ts'
import { mobileSignIn } from '../settings.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'

const db = await useTestDb()
const clock = createTestClock()
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const PASSWORD = 'correct horse battery'

let hosts = 0
const ip = () => `203.0.113.${++hosts % 250}`
const send = (what: string, mobile: string) => call('POST', `/user/${what}/verifyCode/${encodeURIComponent(mobile)}`, {}, { ip: ip() })
async function codeFor(what: string, mobile: string): Promise<string> {
  clock.advance(61_000)
  expect((await send(what, mobile)).code).toBe(200)
  await settle()
  return readTextedCode(deps, mobile)
}

test.each([
  ['86', '13911112222', '+8613911112222', false],
  ['852', '85298765432', '+85298765432', true],
  ['853', '85366123456', '+85366123456', true],
])('region %s: register by mobile without a password, sign in by code, set a password, sign in by it', async (_, mobile, e164, isHkUser) => {
  const registered = await call('POST', '/user/register', { mobile, verifyCode: await codeFor('register', mobile), inviteCode: 'friend-2' })
  expect(registered).toMatchObject({ code: 200, data: { loginUser: { email: null, emailVerifyStatus: 0, mobile } } })
  const info = (await callAs(registered.data.token)('GET', '/user/info')).data
  expect(info).toMatchObject({ email: null, mobile, isHkUser, password: false })
  expect((await listSandboxSms(db, e164))[0]!.text).toContain('注册')
  const again = await call('POST', '/user/login', { mobile, verifyCode: await codeFor('login', mobile) })
  expect((await callAs(again.data.token)('GET', '/user/info')).data.id).toBe(info.id)
  expect((await callAs(again.data.token)('POST', '/user/initPassword', { password: 'twelve long horses' })).code).toBe(200)
  expect(
    (await call('POST', '/user/passwordLogin', { mobile: ` +${e164.slice(1, 3)} ${e164.slice(3)}`.trim(), password: 'twelve long horses' }, { ip: ip() })).code,
  ).toBe(200)
  expect(await findContact(db, info.id)).toEqual({ email: null, mobile: e164, lang: 'zh' })
})

test('a sign-in code of an unregistered mobile answers 1027, and the same code registers it', async () => {
  const mobile = aMobile()
  const verifyCode = await codeFor('login', mobile)
  expect(await call('POST', '/user/login', { mobile, verifyCode })).toMatchObject({ code: 1027, msg: '该手机号尚未注册' })
  expect((await call('POST', '/user/login', { mobile, verifyCode })).code).toBe(1009)
  clock.advance(300_000)
  expect((await call('POST', '/user/register', { mobile, verifyCode })).code).toBe(200)
  expect((await call('POST', '/user/register', { mobile, verifyCode })).code).toBe(1009)
})

test('a code that is passed on from sign-in to registration keeps its original expiry', async () => {
  const mobile = aMobile()
  const verifyCode = await codeFor('login', mobile)
  clock.advance(590_000)
  expect((await call('POST', '/user/login', { mobile, verifyCode })).code).toBe(1027)
  clock.advance(10_000)
  expect((await call('POST', '/user/register', { mobile, verifyCode })).code).toBe(1009)
})

test('only a caller with a code of the mobile learns that it is taken', async () => {
  const { mobile } = await aUser(deps, { mobile: aMobile() })
  const verifyCode = await codeFor('register', mobile)
  expect((await call('POST', '/user/register', { mobile, verifyCode: verifyCode === '000000' ? '000001' : '000000' })).code).toBe(1009)
  expect((await call('POST', '/user/register', { mobile, verifyCode })).code).toBe(1016)
})

test('a reset by mobile sets the new password and ends the other sessions; an unregistered mobile answers 1027', async () => {
  const user = await aUser(deps, { mobile: aMobile(), password: PASSWORD })
  expect(
    (
      await call('POST', '/user/forgotPassword', {
        mobile: user.mobile,
        password: 'a new horse entirely',
        verifyCode: await codeFor('updatePassword', user.mobile),
      })
    ).code,
  ).toBe(200)
  expect((await callAs(user.token)('GET', '/user/info')).status).toBe(401)
  expect((await call('POST', '/user/passwordLogin', { mobile: user.mobile, password: PASSWORD }, { ip: ip() })).code).toBe(1010)
  expect((await call('POST', '/user/passwordLogin', { mobile: user.mobile, password: 'a new horse entirely' }, { ip: ip() })).code).toBe(200)
  const unusedMobile = aMobile()
  expect(
    (
      await call('POST', '/user/forgotPassword', {
        mobile: unusedMobile,
        password: 'a new horse entirely',
        verifyCode: await codeFor('updatePassword', unusedMobile),
      })
    ).code,
  ).toBe(1027)
})

test('one number in any writing is one account', async () => {
  const mobile = aMobile()
  const user = await aUser(deps, { mobile, password: PASSWORD })
  for (const form of [
    `+86${mobile}`,
    `86${mobile}`,
    `${mobile.slice(0, 3)} ${mobile.slice(3, 7)}-${mobile.slice(7)}`,
    mobile.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ]) {
    const reply = await call('POST', '/user/passwordLogin', { mobile: form, password: PASSWORD }, { ip: ip() })
    expect((await callAs(reply.data.token)('GET', '/user/info')).data.id, form).toBe(user.userId)
  }
})

test.each(['12345678901', '98765432', '+1 202 555 0100', '+4479111234', 'abc', '', '13800138000,13800138001', '😀'])(
  'no message goes to %j',
  async (mobile) => {
    const answer = await send('login', mobile)
    expect([400, 404]).toContain(answer.status)
  },
)

test('of parallel registrations with one code one succeeds', async () => {
  const mobile = aMobile()
  const verifyCode = await codeFor('register', mobile)
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/user/register', { mobile, verifyCode })))
  expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
})

test('with the captcha on, nothing is sent and no password is compared without a proof; a proof is good once and for its scene', async () => {
  await chooseCaptcha(deps, 'altcha')
  const user = await aUser(deps)
  const mobile = aMobile()
  const me = callAs(user.token)
  for (const path of [`/user/login/verifyCode/${mobile}`, `/user/register/verifyCode/${mobile}`, `/user/updatePassword/verifyCode/${mobile}`])
    expect(await call('POST', path, {}, { ip: ip() })).toMatchObject({ status: 200, code: 2500 })
  for (const path of [
    '/user/sendSecondaryVerify',
    '/user/verify/password/verifyCode/email',
    '/user/verify/verifyCode/deleteAccount',
    '/user/updateUserMobile/verifyCode',
    `/user/updateUserMobile/newMobileVerifyCode/${mobile}`,
  ])
    expect((await me('POST', path, {}, { ip: ip() })).code, path).toBe(2500)
  expect((await call('POST', '/user/email/verifyCode', { email: user.email, verifyCodeType: 'login' }, { ip: ip() })).code).toBe(2500)
  expect((await call('POST', '/user/passwordLogin', { email: user.email, password: user.password }, { ip: ip() })).code).toBe(2500)
  expect(await db.query('select 1 from account_codes where target = $1', [`+86${mobile}`])).toEqual([])

  const other = await aCaptchaParam(deps, 'register')
  expect((await call('POST', `/user/login/verifyCode/${mobile}`, { captchaVerifyParam: other }, { ip: ip() })).code).toBe(2500)
  const captchaVerifyParam = await aCaptchaParam(deps, 'login')
  expect((await call('POST', `/user/login/verifyCode/${mobile}`, { captchaVerifyParam }, { ip: ip() })).code).toBe(200)
  expect((await call('POST', `/user/login/verifyCode/${aMobile()}`, { captchaVerifyParam }, { ip: ip() })).code).toBe(2500)
  await chooseCaptcha(deps, 'off')
})

test('an operator can switch mobiles off', async () => {
  expect((await call('GET', '/common/signInOptions')).data).toMatchObject({ mobileRegions: ['86', '852', '853'], agreementTicked: true })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, mobileSignIn, false))
  expect((await call('GET', '/common/signInOptions')).data.mobileRegions).toEqual([])
  expect((await send('login', aMobile())).status).toBe(503)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, mobileSignIn, true))
})
