import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, readMailedCode } from '../builders.ts'
import { account } from '../index.ts'

const product = [account, notices, risk]
const all = [...product, createBackoffice(product)]
const db = await useTestDb()
const clock = createRunningClock()
const desk = createTestApp({ features: all, db, clock, surface: 'operators' })
const { call, deps, settle } = createTestApp({ features: all, db, clock })
let officer: BuiltOperator
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  officer = await anOperator(desk.deps, ['risk'])
})

async function run(name: string, input: object, who = officer) {
  const { data } = await desk.call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'abuse', reason: 'a reason of some length' }
  return desk.call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
}
const undo = (no: string) => desk.call('POST', '/operator/command/undo', { no }, { token: officer.token })
const login = (user: { email: string; password: string }, ip: string, device?: string) =>
  call('POST', '/user/passwordLogin', { email: user.email, password: user.password }, { ip, ...(device ? { headers: { device } } : {}) })
const requestCode = (email: string, verifyCodeType: string, ip = '198.51.100.7') => call('POST', '/user/email/verifyCode', { email, verifyCodeType }, { ip })
/** Processes cache blocks for 2 s. */
const soon = () => clock.advance(3_000)

test('a blocked network can neither sign in nor up; neighbours and open sessions are unaffected; undoing lifts the block', async () => {
  const user = await aUser(deps)
  const open = await login(user, '203.0.113.9')
  const done = await run('risk.block', { kind: 'network', value: '203.0.113.77/24', days: 1, note: 'a botnet' })
  expect(done.data).toMatchObject({ state: 'done', subject: 'block:network:203.0.113.0/24' })
  soon()
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.200']) expect([ip, (await login(user, ip)).code]).toEqual([ip, 403])
  expect((await requestCode(user.email, 'login', '203.0.113.9')).code).toBe(403)
  expect((await requestCode('fresh@example.com', 'register', '203.0.113.9')).code).toBe(403)
  expect((await call('POST', '/user/login', { email: user.email, verifyCode: '000000' }, { ip: '203.0.113.9' })).code).toBe(403)
  expect((await login(user, '203.0.114.9')).code).toBe(200)
  expect((await call('GET', '/user/me', {}, { token: open.data.token, ip: '203.0.113.9' })).code).not.toBe(403)
  expect((await run('risk.block', { kind: 'network', value: '203.0.113.0/24', days: 1 })).status).toBe(400)
  expect((await undo(done.data.no)).data.state).toBe('done')
  soon()
  expect((await login(user, '203.0.113.9')).code).toBe(200)
})

test('a blocked mail domain and its subdomains stop registration; existing accounts still sign in', async () => {
  const user = await aUser(deps, { email: 'old@throwaway.example' })
  expect((await run('risk.block', { kind: 'mailDomain', value: '@ThrowAway.example', days: 30 })).data.state).toBe('done')
  soon()
  expect((await requestCode('new@throwaway.example', 'register')).code).toBe(403)
  expect((await requestCode('new@mail.throwaway.example', 'register')).code).toBe(403)
  expect((await requestCode('new@nothrowaway.example', 'register')).code).toBe(200)
  expect((await requestCode(user.email, 'login')).code).toBe(200)
  expect((await login(user, '198.51.100.7')).code).toBe(200)
  await settle()
  expect((await call('POST', '/user/login', { email: user.email, verifyCode: await readMailedCode(deps, user.email) })).code).toBe(200)
})

test('a block of a customer’s devices lasts for its days, through a key rotation, and no longer', async () => {
  const [user, other] = [await aUser(deps), await aUser(deps)]
  const device = 'd'.repeat(32)
  expect((await run('risk.block', { kind: 'device', value: user.userId, days: 1 })).status).toBe(404)
  expect((await login(user, '192.0.2.9', device)).code).toBe(200)
  expect((await run('risk.block', { kind: 'device', value: user.userId, days: 1 })).data.preview.changes).toContainEqual({
    name: 'blocked',
    before: false,
    after: true,
  })
  soon()
  expect((await login(other, '192.0.2.10', device)).code).toBe(403)
  expect((await login(other, '192.0.2.10', 'e'.repeat(32))).code).toBe(200)
  // key rotation: the next key beside the old one, then alone
  const next = randomBytes(32)
  for (const secretKeys of [[next, deps.secretKey], [next]]) {
    const app = createTestApp({ features: all, db, clock, overrides: { secretKey: next, secretKeys } })
    const sent = app.call('POST', '/user/passwordLogin', { email: other.email, password: other.password }, { ip: '192.0.2.10', headers: { device } })
    expect([secretKeys.length, (await sent).code]).toEqual([secretKeys.length, 403])
    soon()
  }
  clock.advance(86_400_000)
  expect((await login(other, '192.0.2.10', device)).code).toBe(200)
  officer = await anOperator(desk.deps, ['risk'])
  const over = (await desk.call('GET', '/operator/blocks', { view: 'over' }, { token: officer.token })).data.rows
  expect(over.map(({ kind }: { kind: string }) => kind)).toContain('device')
})

test('networks that are too large, malformed values and operators without the permission are refused', async () => {
  for (const [kind, value] of [
    ['network', '10.0.0.0/8'],
    ['network', '0.0.0.0/0'],
    ['network', '::/0'],
    ['network', 'example.com'],
    ['network', '1.2.3.4/33'],
    ['mailDomain', 'com'],
    ['mailDomain', 'not a domain'],
    ['mailDomain', 'a@b@c.example'],
  ])
    expect([value, (await run('risk.block', { kind, value, days: 1 })).status]).toEqual([value, 400])
  const helper = await anOperator(desk.deps, ['support'])
  expect((await run('risk.block', { kind: 'mailDomain', value: 'good.example', days: 1 }, helper)).status).toBe(403)
})

test('a locked sign-in is listed with a masked contact; unlocking also admits addresses that failed or were refused', async () => {
  const user = await aUser(deps)
  for (let n = 0; n < 6; n++) await call('POST', '/user/passwordLogin', { email: user.email, password: 'wrong horse' }, { ip: '192.0.2.99' })
  for (let n = 0; n < 25; n++) await call('POST', '/user/passwordLogin', { email: user.email, password: 'wrong horse' }, { ip: `192.0.2.${100 + n}` })
  // attempts from the owner's address; each is refused before the password is compared
  for (let n = 0; n < 8; n++) expect((await login(user, '192.0.2.98')).code).toBe(1013)
  const helper = await anOperator(desk.deps, ['support'])
  const locks = async () => (await desk.call('GET', '/operator/locks', {}, { token: helper.token })).data.rows
  expect(await locks()).toMatchObject([{ userId: user.userId, contact: expect.stringMatching(/^u\*\*\*.@example\.com$/) }])
  const done = await run('account.unlock-login', { user: user.userId }, helper)
  expect(done.data).toMatchObject({ state: 'done', preview: { changes: [{ name: 'failures', after: 0 }] } })
  expect(await locks()).toEqual([])
  for (const ip of ['192.0.2.99', '192.0.2.98']) expect([ip, (await login(user, ip)).code]).toEqual([ip, 200])
})
