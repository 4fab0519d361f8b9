import { expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aMobile, aUser, readMailedCode, signInBuiltUser, readTextedCode } from '../builders.ts'
import type { BuiltSession } from '../builders.ts'
import { findContact } from '../door.ts'
import { account } from '../index.ts'

const db = await useTestDb()
const clock = createTestClock()
const owing = new Set<string>()
const bank = defineFeature({
  name: 'bank',
  personal: {
    exportOf: async (_deps, userId) => ({ debts: owing.has(userId) ? 1 : 0 }),
    blockersOf: async (_deps, userId, lang) => (owing.has(userId) ? [{ code: 'debt', text: lang === 'zh' ? '有欠款' : 'There is a debt', path: '/bank' }] : []),
  },
})
const { call, callAs, deps, settle } = createTestApp({ features: [account, notices, risk, bank], db, clock })
await chooseCaptcha(deps, 'off')
const MINUTE = 60_000
const LATE = 11 * MINUTE

let hosts = 0
const ip = () => `203.0.113.${++hosts % 250}`
const asUser =
  (user: BuiltSession) =>
  (method: 'GET' | 'POST', path: string, input = {}, options = {}) =>
    callAs(user.token)(method, path, input, { ip: ip(), ...options })
const mailed = async (email: string, ask: () => Promise<{ code: number }>) => {
  clock.advance(MINUTE)
  expect((await ask()).code).toBe(200)
  await settle()
  return readMailedCode(deps, email)
}
const subjects = async (email: string) => (await listSandboxMails(db, email)).map((mail) => mail.subject)
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('step-up: changing a sign-in method requires a fresh proof; the token changes with it', async () => {
  const user = await aUser(deps)
  const email = `second-${user.email}`
  clock.advance(LATE)
  const me = asUser(user)
  const verifyCode = await mailed(email, () => me('POST', '/user/email/verifyCode', { email, verifyCodeType: 'updateEmail' }))
  for (const [path, input] of [
    ['/user/updateEmail', { email, verifyCode }],
    ['/user/export', {}],
  ] as const)
    expect((await me('POST', path, input)).code, path).toBe(1020)

  const code = await mailed(user.email, () => me('POST', '/user/sendSecondaryVerify'))
  expect((await me('POST', '/user/secondaryVerify', { verifyCode: wrong(code) })).code).toBe(1009)
  const stepped = await me('POST', '/user/secondaryVerify', { verifyCode: code })
  expect(stepped.data.token).toMatch(/^[\w-]{43}$/)
  expect(stepped.data.token).not.toBe(user.token)
  expect((await me('GET', '/user/info')).status).toBe(401)
  const now = asUser({ ...user, token: stepped.data.token })
  const { sessions } = (await now('GET', '/user/sessions')).data
  expect(sessions).toMatchObject([{ id: user.sessionId, current: true }])
  expect((await now('POST', '/user/updateEmail', { email, verifyCode })).code).toBe(200)
  clock.advance(LATE)
  expect((await now('POST', '/user/export')).code).toBe(1020)
})

test('step-up by password; guesses are limited like those of a login', async () => {
  const user = await aUser(deps)
  const from = { ip: '192.0.2.90' }
  const stepped = await asUser(user)('POST', '/user/secondaryVerify', { password: user.password }, from)
  expect(stepped.code).toBe(200)
  const now = asUser({ ...user, token: stepped.data.token })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => now('POST', '/user/secondaryVerify', { password: `wrong horse ${n}` }, from)))
  expect(answers.filter((answer) => answer.code === 1010)).toHaveLength(5)
  expect(answers.filter((answer) => answer.code === 1013)).toHaveLength(15)
})

test('a first password: once, strong, from a fresh session; it ends the others', async () => {
  const user = await aUser(deps, { mobile: '13577779999' })
  const login = async () => {
    clock.advance(MINUTE)
    await call('POST', '/user/login/verifyCode/13577779999', {}, { ip: ip() })
    await settle()
    return (await call('POST', '/user/login', { mobile: '13577779999', verifyCode: await readTextedCode(deps, user.mobile) })).data.token as string
  }
  const second = { ...user, token: await login() }
  clock.advance(LATE)
  expect((await asUser(user)('POST', '/user/initPassword', { password: 'twelve long horses' })).code).toBe(1020)
  const fresh = { ...user, token: await login() }
  for (const password of ['short horse', '123456789012', 'my 13577779999 horse'])
    expect([400, 1012], password).toContain((await asUser(fresh)('POST', '/user/initPassword', { password })).code)
  expect((await asUser(fresh)('POST', '/user/initPassword', { password: 'twelve long horses' })).code).toBe(200)
  expect((await asUser(second)('GET', '/user/info')).status).toBe(401)
  expect((await asUser(fresh)('GET', '/user/info')).data.password).toBe(true)
  expect((await asUser(fresh)('POST', '/user/initPassword', { password: 'twelve other horses' })).code).toBe(1024)
})

test('a password is changed by a code to the user’s own contact, never to another’s', async () => {
  const user = await aUser(deps)
  const stranger = await aUser(deps)
  const elsewhere = await signInBuiltUser(deps, user)
  const me = asUser(user)
  const strange = await mailed(stranger.email, () => me('POST', '/user/email/verifyCode', { email: stranger.email, verifyCodeType: 'updatePassword' }))
  expect((await me('POST', '/user/updatePassword', { email: stranger.email, verifyCode: strange, password: 'twelve long horses' })).code).toBe(1009)
  expect((await signInBuiltUser(deps, stranger)).userId).toBe(stranger.userId)

  const verifyCode = await mailed(user.email, () => me('POST', '/user/verify/verifyCode/updatePassword'))
  expect((await me('POST', '/user/updatePassword', { email: user.email, verifyCode, password: 'eleven long' })).status).toBe(400)
  expect((await me('POST', '/user/updatePassword', { email: user.email, verifyCode, password: `${user.email} !` })).code).toBe(1012)
  expect((await me('POST', '/user/updatePassword', { email: user.email, verifyCode, password: 'twelve long horses' })).code).toBe(200)
  expect((await asUser(elsewhere)('GET', '/user/info')).status).toBe(401)
  expect((await me('GET', '/user/info')).status).toBe(200)
  await expect(signInBuiltUser(deps, user)).rejects.toMatchObject({ errorName: 'LOGIN_FAILED' })
  await settle()
  expect(await subjects(user.email)).toContain('【明细】你的密码已修改')
})

test('an e-mail is changed by its own code and the old mailbox gets a mail; a taken one is reported to its own mailbox only', async () => {
  const user = await aUser(deps)
  const taken = await aUser(deps)
  const me = asUser(user)
  const email = `New.Box-${user.email}`
  expect((await me('POST', '/user/updateEmail', { email: user.email, verifyCode: '000000' })).code).toBe(1019)
  const verifyCode = await mailed(email, () => me('POST', '/user/email/verifyCode', { email, verifyCodeType: 'updateEmail' }))
  expect((await me('POST', '/user/updateEmail', { email, verifyCode: wrong(verifyCode) })).code).toBe(1009)
  expect((await me('POST', '/user/updateEmail', { email, verifyCode })).code).toBe(200)
  expect((await me('GET', '/user/info')).data).toMatchObject({ email, emailVerifyStatus: 1 })
  await settle()
  expect(await subjects(user.email)).toContain('【明细】你的登录邮箱已变更')
  expect((await call('POST', '/user/passwordLogin', { ...user, email }, { ip: ip() })).code).toBe(200)
  expect((await call('POST', '/user/passwordLogin', user, { ip: ip() })).code).toBe(1010)

  await me('POST', '/user/email/verifyCode', { email: taken.email, verifyCodeType: 'updateEmail' })
  await settle()
  expect((await listSandboxMails(db, taken.email))[0]).toMatchObject({ code: null, subject: '【明细】该邮箱已注册' })
  expect((await aUser(deps, { email: user.email })).userId).not.toBe(user.userId)
})

test('an e-mail that another user proves meanwhile is refused, and the user keeps the old one', async () => {
  const user = await aUser(deps)
  const me = asUser(user)
  const email = `race-${user.email}`
  const verifyCode = await mailed(email, () => me('POST', '/user/email/verifyCode', { email, verifyCodeType: 'updateEmail' }))
  await aUser(deps, { email })
  expect((await me('POST', '/user/updateEmail', { email, verifyCode })).code).toBe(1011)
  expect((await me('GET', '/user/info')).data.email).toBe(user.email)
})

test('an unproven e-mail is proven in place; a mobile user binds a first one', async () => {
  const user = await aUser(deps)
  await db.query('update account_identities set verified_at = null where user_id = $1', [user.userId])
  expect((await asUser(user)('GET', '/user/info')).data.emailVerifyStatus).toBe(0)
  expect((await asUser(user)('POST', '/user/sendSecondaryVerify')).code).toBe(1023)
  const verifyCode = await mailed(user.email, () => asUser(user)('POST', '/user/email/verifyCode', { email: user.email, verifyCodeType: 'verify' }))
  expect((await asUser(user)('POST', '/user/verifyEmail', { email: user.email, verifyCode })).code).toBe(200)
  expect((await asUser(user)('GET', '/user/info')).data.emailVerifyStatus).toBe(1)

  const phoneUser = await aUser(deps, { mobile: aMobile() })
  const email = 'first-box@example.com'
  const code = await mailed(email, () => asUser(phoneUser)('POST', '/user/email/verifyCode', { email, verifyCodeType: 'updateEmail' }))
  expect((await asUser(phoneUser)('POST', '/user/updateEmail', { email, verifyCode: code })).code).toBe(200)
  expect(await findContact(db, phoneUser.userId)).toMatchObject({ email, mobile: `+86${phoneUser.mobile}` })
})

test('a mobile is changed in two steps: code to the old one, flow, code to the new one', async () => {
  const user = await aUser(deps, { mobile: aMobile() })
  const me = asUser(user)
  const next = '85291234567'
  const sent = await me('POST', '/user/updateUserMobile/verifyCode')
  expect(sent.data).toMatchObject({ kind: 'mobile', resendAfterSeconds: 60, expiresInSeconds: 600 })
  await settle()
  const old = await readTextedCode(deps, user.mobile)
  expect((await me('GET', '/user/updateUserMobile/verify', { verifyCode: wrong(old) })).code).toBe(1009)
  const { verifyFlow } = (await me('GET', '/user/updateUserMobile/verify', { verifyCode: old })).data
  expect((await me('POST', `/user/updateUserMobile/newMobileVerifyCode/${user.mobile}`)).code).toBe(1018)
  expect((await me('POST', `/user/updateUserMobile/newMobileVerifyCode/${next}`)).code).toBe(200)
  await settle()
  const verifyCode = await readTextedCode(deps, next)
  const last = (input: object) => me('POST', '/user/updateUserMobile/verifyLastStep', { newMobile: next, verifyCode, verifyFlow, ...input })
  expect((await last({ verifyFlow: 'x'.repeat(43) })).code).toBe(1021)
  expect((await last({ verifyCode: wrong(verifyCode) })).code).toBe(1009)
  expect((await last({})).code).toBe(200)
  expect((await me('GET', '/user/info')).data).toMatchObject({ mobile: next, isHkUser: true })
  expect((await last({})).code).toBe(1018)
  clock.advance(MINUTE)
  expect((await aUser(deps, { mobile: user.mobile })).userId).not.toBe(user.userId)
})

test('a flow is good once, for ten minutes, in its own session, and survives a number that is taken', async () => {
  const user = await aUser(deps)
  const taken = await aUser(deps, { mobile: aMobile() })
  const begin = async (session: BuiltSession) => {
    const verifyCode = await mailed(user.email, () => asUser(session)('POST', '/user/updateUserMobile/verifyCode', { by: 'email' }))
    return (await asUser(session)('GET', '/user/updateUserMobile/verify', { verifyCode })).data.verifyFlow as string
  }
  const bind = async (session: BuiltSession, mobile: string, verifyFlow: string) => {
    clock.advance(MINUTE)
    await asUser(session)('POST', `/user/updateUserMobile/newMobileVerifyCode/${mobile}`)
    await settle()
    return asUser(session)('POST', '/user/updateUserMobile/verifyLastStep', { newMobile: mobile, verifyCode: await readTextedCode(deps, mobile), verifyFlow })
  }
  const flow = await begin(user)
  expect((await bind(user, taken.mobile, flow)).code).toBe(1016)
  const elsewhere = await signInBuiltUser(deps, user)
  expect((await bind(elsewhere, aMobile(), flow)).code).toBe(1021)
  expect((await asUser(user)('GET', '/user/info')).data.mobile).toBeNull()
  expect((await bind(user, aMobile(), flow)).code).toBe(200)
  expect((await bind(user, aMobile(), flow)).code).toBe(1021)
  const inTime = await begin(user)
  clock.advance(8 * MINUTE)
  expect((await bind(user, aMobile(), inTime)).code).toBe(200)
  const late = await begin(user)
  clock.advance(9 * MINUTE)
  expect((await bind(user, aMobile(), late)).code).toBe(1021)
})

test('all other sessions are ended at once', async () => {
  const user = await aUser(deps)
  const others = [await signInBuiltUser(deps, user), await signInBuiltUser(deps, user)]
  expect((await asUser(user)('POST', '/user/session/endOthers')).data).toEqual({ ended: 2 })
  for (const other of others) expect((await asUser(other)('GET', '/user/info')).status).toBe(401)
  expect((await asUser(user)('GET', '/user/info')).status).toBe(200)
})

test('a login from a new network and browser sends a mail, unless the user has switched that off', async () => {
  const user = await aUser(deps)
  const login = (ua: string, from: string) => call('POST', '/user/passwordLogin', user, { ip: from, headers: { 'user-agent': ua } })
  expect((await login('builder', '198.51.100.1')).code).toBe(200)
  await settle()
  expect(await subjects(user.email)).toEqual([])
  expect((await login('Firefox/150 (a new one)', '198.51.100.77')).code).toBe(200)
  await settle()
  expect(await subjects(user.email)).toEqual(['【明细】新设备登录提醒'])
  expect((await listSandboxMails(db, user.email))[0]!.text).toContain('198.51.100.77')
  expect((await login('Firefox/150 (a new one)', '198.51.100.99')).code).toBe(200)
  await asUser(user)('POST', '/user/updateMailChoices', { loginAlert: false })
  expect((await login('Opera/12', '192.0.2.200')).code).toBe(200)
  await settle()
  expect(await subjects(user.email)).toHaveLength(1)
})

test('closing: blocked while a feature says so; then at once, for good, and everything is free again', async () => {
  const user = await aUser(deps)
  const elsewhere = await signInBuiltUser(deps, user)
  const me = asUser(user)
  owing.add(user.userId)
  const blockers = [{ code: 'debt', text: '有欠款', path: '/bank' }]
  expect((await me('GET', '/user/deleteAccount/check')).data).toEqual({ blockers })
  expect(await me('POST', '/v1/user/deleteAccount', { password: user.password })).toMatchObject({ status: 200, code: 1025, data: { blockers } })
  expect((await me('GET', '/user/deleteAccount/check', {}, { lang: 'en' })).data.blockers[0].text).toBe('There is a debt')
  owing.delete(user.userId)
  expect((await me('POST', '/v1/user/deleteAccount', { password: 'not the horse' })).code).toBe(1010)
  expect((await me('POST', '/v1/user/deleteAccount', {})).status).toBe(400)
  expect((await me('POST', '/v1/user/deleteAccount', { password: user.password, verifyCode: '000000' })).status).toBe(400)
  const answers = await Promise.all(Array.from({ length: 5 }, () => me('POST', '/v1/user/deleteAccount', { password: user.password })))
  expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
  for (const session of [user, elsewhere]) expect((await asUser(session)('GET', '/user/info')).status).toBe(401)
  expect((await call('POST', '/user/passwordLogin', user, { ip: ip() })).code).toBe(1010)
  expect(await db.query('select status, name, password_hash from account_users where id = $1', [user.userId])).toEqual([
    { status: 'deleted', name: '', passwordHash: null },
  ])
  expect(await db.query('select 1 from account_identities where user_id = $1', [user.userId])).toEqual([])
  expect(await db.query(`select 1 from outbox where event = 'user.deleted' and payload->>'userId' = $1`, [user.userId])).toHaveLength(1)
  expect(await findContact(db, user.userId)).toBeUndefined()
  await settle()
  expect(await subjects(user.email)).toContain('【明细】账户已注销')
  const reborn = await aUser(deps, { email: user.email })
  expect(reborn.userId).not.toBe(user.userId)
})

test('closing by a code, for a user without a password', async () => {
  const user = await aUser(deps, { mobile: aMobile() })
  await asUser(user)('POST', '/user/verify/verifyCode/deleteAccount')
  await settle()
  const verifyCode = await readTextedCode(deps, user.mobile)
  expect((await asUser(user)('POST', '/v1/user/deleteAccount', { verifyCode: wrong(verifyCode) })).code).toBe(1009)
  expect((await asUser(user)('POST', '/v1/user/deleteAccount', { verifyCode })).code).toBe(200)
  expect((await asUser(user)('GET', '/user/info')).status).toBe(401)
})

test('the export has every feature’s part and no secret, five times a day', async () => {
  const user = await aUser(deps)
  await asUser(user)('POST', '/user/updateUserInfo', { name: 'Wang Wei' })
  const answer = await asUser(user)('POST', '/user/export')
  expect(answer.data).toMatchObject({
    generatedAt: clock.now().toISOString(),
    data: {
      bank: { debts: 0 },
      account: { id: user.userId, email: user.email, name: 'Wang Wei', mailChoices: { receipt: true }, sessions: [{ userAgent: expect.any(String) }] },
    },
  })
  expect(answer.data.data.account.history.map((row: { action: string }) => row.action)).toEqual([
    'account.exported',
    'account.profile-changed',
    'account.registered',
  ])
  expect(answer.raw.body).not.toMatch(/argon2|token/)
  for (let n = 0; n < 4; n++) expect((await asUser(user)('POST', '/user/export')).code).toBe(200)
  expect((await asUser(user)('POST', '/user/export')).status).toBe(429)
})
