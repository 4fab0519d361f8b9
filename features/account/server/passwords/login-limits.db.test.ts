import { expect, test } from 'vitest'
import { hash } from '@node-rs/argon2'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, readMailedCode } from '../builders.ts'
import { account } from '../index.ts'
import { isOutdatedHash } from './passwords.ts'

const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const { call, deps, settle } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const MINUTE = 60_000
const login = (email: string, password: string, ip: string) => call('POST', '/user/passwordLogin', { email, password }, { ip })
const hashOf = async (userId: string) =>
  (await db.query<{ passwordHash: string }>('select password_hash from account_users where id = $1', [userId]))[0]!.passwordHash

test('five wrong passwords from one address are the limit, parallel ones included; right ones do not count', async () => {
  const user = await aUser(deps)
  for (let n = 0; n < 7; n++) expect((await login(user.email, user.password, '192.0.2.1')).code).toBe(200)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => login(user.email, `wrong horse ${n}`, '192.0.2.1')))
  expect(answers.filter((answer) => answer.code === 1010)).toHaveLength(5)
  const refused = await login(user.email, user.password, '192.0.2.1')
  expect(refused).toMatchObject({ status: 429, code: 1013, msg: '登录失败次数过多，请改用验证码登录，或稍后再试' })
  expect(refused.data.retryAfterSeconds).toBeLessThanOrEqual(900)
})

test('a botnet cannot lock the owner out: from a known address, by a code, and after 15 minutes in any case', async () => {
  const user = await aUser(deps)
  expect((await login(user.email, user.password, '192.0.2.50')).code).toBe(200)
  for (let n = 0; n < 60; n++) await login(user.email, 'wrong horse', `203.0.113.${n}`)
  expect((await login(user.email, user.password, '192.0.2.51')).code).toBe(1013)
  expect((await login(user.email, user.password, '192.0.2.50')).code).toBe(200)
  await call('POST', '/user/email/verifyCode', { email: user.email, verifyCodeType: 'login' })
  await settle()
  expect((await call('POST', '/user/login', { email: user.email, verifyCode: await readMailedCode(deps, user.email) }, { ip: '192.0.2.51' })).code).toBe(200)
  clock.advance(15 * MINUTE)
  expect((await login(user.email, user.password, '192.0.2.52')).code).toBe(200)
})

test('credential stuffing: 1 000 accounts from one address are 60 attempts, an unknown e-mail counts like a known one', async () => {
  const victim = await aUser(deps)
  let tried = 0
  for (let n = 0; n < 1000; n++) if ((await login(n % 10 ? `stuffed${n}@example.com` : victim.email, `wrong horse ${n}`, '198.51.100.9')).code === 1010) tried++
  expect(tried).toBe(59) // of the address's 60 attempts, the limit of the pair refuses the sixth on the victim
  expect((await login(victim.email, victim.password, '198.51.100.10')).code).toBe(200)
  const unknown: number[] = []
  for (let n = 0; n < 7; n++) unknown.push((await login('nobody@example.com', `wrong horse ${n}`, '198.51.100.11')).code)
  expect(unknown).toEqual([1010, 1010, 1010, 1010, 1010, 1013, 1013])
})

test('failed logins are in the audit without password or e-mail', async () => {
  await login('audited@example.com', 'wrong horse 77', '192.0.2.60')
  const [row] = await db.query(`select actor_kind, action, target, data from audit_rows where action = 'account.login-failed' order by id desc limit 1`)
  expect(row).toEqual({
    actorKind: 'anonymous',
    action: 'account.login-failed',
    target: expect.stringMatching(/^email:[0-9a-f]{16}$/),
    data: { ip: '192.0.2.60', userAgent: expect.any(String) },
  })
})

test('passwords: argon2id of at least 19 MiB and two passes, any script and spaces, one form on every keyboard', async () => {
  for (const [password, typed] of [
    ['床前明月光疑是地上霜', ' 床前明月光疑是地上霜'],
    ['cafe\u0301 au lait noir', 'café au lait noir'],
    ['Ｆｏｘ and the grapes', 'Fox and the grapes'],
    ['🦊 sits in a 🌲 tree', '🦊 sits in a 🌲 tree'],
  ] as const) {
    const user = await aUser(deps, { password: password.normalize('NFKC').trim() })
    expect(await hashOf(user.userId)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login(user.email, typed, '192.0.2.70')).code).toBe(200)
    expect((await login(user.email, typed.toUpperCase() === typed ? `${typed}x` : typed.toUpperCase(), '192.0.2.70')).code).toBe(1010)
  }
})

test('weak passwords are refused at register and reset before the code is spent', async () => {
  const email = 'weak@example.com'
  await call('POST', '/user/email/verifyCode', { email, verifyCodeType: 'register' })
  await settle()
  const verifyCode = await readMailedCode(deps, email)
  for (const password of ['password123', 'Woaini1314', '1qaz2wsx', 'weak2024', '11111111', 'Mingxi888!']) {
    expect(await call('POST', '/user/register', { email, password, verifyCode })).toMatchObject({
      status: 200,
      code: 1012,
      data: { reason: expect.any(String) },
    })
  }
  for (const password of ['short', 'x'.repeat(51), '   a   b   ', undefined, 12345678]) {
    expect(await call('POST', '/user/register', { email, password, verifyCode })).toMatchObject({ status: 400, code: 400, data: { fields: ['password'] } })
  }
  expect((await call('POST', '/user/register', { email, password: 'a horse that is fine', verifyCode })).code).toBe(200)
  expect((await call('POST', '/user/forgotPassword', { email, password: 'qwertyuiop', verifyCode: '000000' })).code).toBe(1012)
})

test('an outdated hash is replaced at the next successful login', async () => {
  const user = await aUser(deps)
  await db.query('update account_users set password_hash = $2 where id = $1', [
    user.userId,
    await hash(user.password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 }),
  ])
  expect(isOutdatedHash(await hashOf(user.userId))).toBe(true)
  expect((await login(user.email, 'wrong horse', '192.0.2.80')).code).toBe(1010)
  expect(isOutdatedHash(await hashOf(user.userId))).toBe(true)
  expect((await login(user.email, user.password, '192.0.2.80')).code).toBe(200)
  expect(isOutdatedHash(await hashOf(user.userId))).toBe(false)
  expect((await login(user.email, user.password, '192.0.2.80')).code).toBe(200)
})

test('unknown fields of a body are ignored', async () => {
  const email = 'mass@example.com'
  await call('POST', '/user/email/verifyCode', { email, verifyCodeType: 'register', userId: 'usr_x' })
  await settle()
  const extra = { role: 'admin', balance: '9', status: 'frozen', userId: 'usr_x', id: 'usr_x', verified_at: null, __proto__: { a: 1 } }
  const reply = await call('POST', '/user/register', { email, password: 'a horse that is fine', verifyCode: await readMailedCode(deps, email), ...extra })
  expect(Object.keys(reply.data).sort()).toEqual(['loginUser', 'token'])
  const info = await call('GET', '/user/info', {}, { token: reply.data.token })
  expect(info.data.id).not.toBe('usr_x')
})
