import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { anOperator, anOperatorToken, generateTotp } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice, makeFirstOwner } from '../index.ts'
import { networks } from '../settings.ts'
import { createSoftPasskey } from '#platform/testing/soft-passkey.ts'
import { setStatus } from './data.ts'

const product = [account, notices, risk]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({
  features: [...product, createBackoffice(product)],
  db,
  clock,
  surface: 'operators',
  env: { CONSOLE_URL: 'https://ops.example' },
})
const other = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const WHY = { reasonCode: 'staff', reason: 'a reason of some length' }
const PASSWORD = 'a horse of correct battery'
let at = 0
/** A new address for each call, so that limits by address do not interfere. */
const ip = () => `10.1.${Math.floor(at / 200)}.${(at++ % 200) + 1}`
const post = (path: string, input: object, { token, from = ip() }: { readonly token?: string; readonly from?: string } = {}) =>
  call('POST', path, input, { ip: from, ...(token ? { token } : {}) })
const me = (token: string, app = call) => app('GET', '/operator/me', {}, { token })
const signIn = (mail: string, code: string, { password = PASSWORD, from = ip() }: { readonly password?: string; readonly from?: string } = {}) =>
  post('/operator/signIn', { mail, password, code }, { from })
const codeOf = (operator: BuiltOperator) => generateTotp(operator.totpSecret, clock.now())
async function run(who: { token: string }, name: string, input: object) {
  const { data } = await post(`/operator/do/${name}/preview`, input, { token: who.token })
  return call(
    'POST',
    `/operator/do/${name}`,
    { ...input, ...WHY, expects: data?.expects ?? 'a'.repeat(64) },
    { token: who.token, idempotencyKey: `k${Math.random()}` },
  )
}

let first: { token: string; recoveryCodes: string[]; operatorId: string; secret: string }
beforeAll(async () => {
  const lost = await makeFirstOwner(deps, { name: 'Ada', mail: 'ada@ops.example' })
  const invite = await makeFirstOwner(deps, { name: 'Ada', mail: 'ada@ops.example' })
  expect((await post('/operator/invite/open', { invite: lost })).code).toBe(5006)
  const opened = await post('/operator/invite/open', { invite })
  expect([opened.data.mail, opened.data.uri]).toEqual(['ada@ops.example', expect.stringContaining('otpauth://totp/')])
  const { secret } = opened.data
  const wrong = await post('/operator/invite/accept', { invite, password: PASSWORD, code: '000000' })
  expect(wrong.code).toBe(5001)
  expect((await post('/operator/invite/accept', { invite, password: 'passwordpassword', code: generateTotp(secret, clock.now()) })).code).toBe(5005)
  const joined = await post('/operator/invite/accept', { invite, password: PASSWORD, code: generateTotp(secret, clock.now()) })
  expect(joined.code, joined.msg).toBe(200)
  first = { ...joined.data, secret }
  expect((await post('/operator/invite/accept', { invite, password: PASSWORD, code: generateTotp(secret, clock.now()) })).code).toBe(5006)
})

test('wrong sign-ins elsewhere lock no operator out of a known address, and one address locks only itself', async () => {
  const owner = await anOperator(deps, ['owner'])
  const [home, attacker, elsewhere] = [ip(), ip(), ip()]
  expect((await signIn(owner.mail, codeOf(owner), { password: owner.password, from: home })).code).toBe(200)
  const wrong = (from: string) => signIn(owner.mail, '000000', { password: 'not this one either', from })
  for (let tries = 0; tries < 10; tries++) expect((await wrong(attacker)).code).toBe(5001)
  const refused = await wrong(attacker)
  expect([refused.code === 5001, refused.code === 200]).toEqual([false, false])
  clock.advance(31_000)
  expect((await signIn(owner.mail, codeOf(owner), { password: owner.password, from: elsewhere })).code).toBe(200)
  // Sixty failures from many addresses lock sign-in from unknown addresses, but not from one used before.
  for (let tries = 0; tries < 60; tries++) await wrong(ip())
  clock.advance(31_000)
  expect((await signIn(owner.mail, codeOf(owner), { password: owner.password, from: ip() })).code).toBe(refused.code)
  expect((await signIn(owner.mail, codeOf(owner), { password: owner.password, from: home })).code).toBe(200)
})

test('the first owner is made once, from the server', async () => {
  expect((await me(first.token)).data).toMatchObject({ name: 'Ada', roles: ['owner'], by: 'session', isProven: true })
  await expect(makeFirstOwner(deps, { name: 'Eve', mail: 'eve@ops.example' })).rejects.toMatchObject({ errorName: 'OPERATOR_EXISTS' })
})

test('a one-time code works once and voids earlier ones; a wrong password, code or mail gets the same answer', async () => {
  const operator = await anOperator(deps, ['support'])
  const code = codeOf(operator)
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(operator.mail, code)))
  expect(answers.filter((answer) => answer.code === 200).length).toBe(1)
  expect(new Set(answers.map((answer) => answer.code))).toEqual(new Set([200, 5001]))
  clock.advance(-30_000)
  expect((await signIn(operator.mail, codeOf(operator))).code).toBe(5001)
  clock.advance(60_000)
  expect((await signIn(operator.mail, codeOf(operator))).code).toBe(200)
  clock.advance(30_000)
  const refusals = [
    await signIn(operator.mail, codeOf(operator), { password: 'not the password' }),
    await signIn('nobody@ops.example', codeOf(operator)),
    await signIn(operator.mail, '000000'),
  ]
  expect(new Set(refusals.map(({ code: number, msg, data }) => JSON.stringify([number, msg, data]))).size).toBe(1)
})

test('a recovery code signs in once', async () => {
  const [code = ''] = first.recoveryCodes
  expect((await signIn('ada@ops.example', code.toLowerCase())).code).toBe(200)
  expect((await signIn('ada@ops.example', code)).code).toBe(5001)
})

test('too many attempts lock the password for their address for a quarter of an hour', async () => {
  const operator = await anOperator(deps, ['support'])
  const codes: number[] = []
  const from = ip()
  for (let tries = 0; tries < 12; tries++) codes.push((await signIn(operator.mail, '000000', { password: PASSWORD, from })).code)
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 5001), 5002, 5002])
  expect((await signIn(operator.mail, codeOf(operator), { password: PASSWORD, from })).status).toBe(429)
  clock.advance(901_000)
  expect((await signIn(operator.mail, codeOf(operator), { password: PASSWORD, from })).code).toBe(200)
})

test('a session ends after half an hour unused, after twelve hours in any case, and when its operator ends it', async () => {
  const operator = await anOperator(deps, ['support'])
  for (let minutes = 0; minutes < 11 * 60; minutes += 29) {
    clock.advance(29 * 60_000)
    expect((await me(operator.token)).status).toBe(200)
  }
  clock.advance(29 * 60_000)
  expect((await me(operator.token)).status).toBe(200)
  clock.advance(29 * 60_000)
  expect((await me(operator.token)).status).toBe(401)
  const again = (await signIn(operator.mail, codeOf(operator))).data
  clock.advance(60_000)
  const second = (await signIn(operator.mail, codeOf(operator))).data
  const { sessions } = (await call('GET', '/operator/sessions', {}, { token: second.token })).data
  expect(sessions.map((each: { id: string; current: boolean }) => [each.id, each.current])).toEqual([
    [second.sessionId, true],
    [again.sessionId, false],
  ])
  expect((await post('/operator/session/end', { sessionId: again.sessionId }, { token: second.token })).code).toBe(200)
  expect((await me(again.token)).status).toBe(401)
  clock.advance(30 * 60_000)
  expect((await me(second.token)).status).toBe(401)
})

test('a suspended operator loses sessions and tokens on every node at the next request; suspending needs the permission', async () => {
  const [boss, operator, script] = await Promise.all([anOperator(deps, ['owner']), anOperator(deps, ['finance']), anOperator(deps, ['risk'])])
  const token = await anOperatorToken(deps, operator.id, ['work.read'])
  for (const { token: each } of [operator, token]) expect((await me(each, other.call)).status).toBe(200)
  expect((await run(script, 'operator.suspend', { operatorId: operator.id })).status).toBe(403)
  const done = await run(boss, 'operator.suspend', { operatorId: operator.id })
  expect([done.data.state, done.data.result]).toEqual(['done', { ended: 1, revoked: 1 }])
  for (const { token: each } of [operator, token]) expect((await me(each, other.call)).status).toBe(401)
  clock.advance(30_000)
  expect((await signIn(operator.mail, codeOf(operator))).code).toBe(5001)
})

test('the last owner cannot be suspended or demoted, also by two suspensions at once', async () => {
  await db.query(`update backoffice_operators set roles = '{support}' where 'owner' = any(roles) and id <> $1`, [first.operatorId])
  const { token } = (await signIn('ada@ops.example', first.recoveryCodes[1]!)).data
  expect((await run({ token }, 'operator.suspend', { operatorId: first.operatorId })).code).toBe(5007)
  expect((await run({ token }, 'operator.roles', { operatorId: first.operatorId, roles: ['support'] })).code).toBe(5007)
  const boss = await anOperator(deps, ['owner'])
  const ends = await Promise.allSettled(
    [first.operatorId, boss.id].map((id) => transact(db, SYSTEM, (tx) => setStatus(tx, id, { from: 'active', to: 'suspended' }))),
  )
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await db.query(`update backoffice_operators set status = 'active' where id = any($1)`, [[first.operatorId, boss.id]])
})

test('an operator cannot grant permissions they lack, and with two owners a grant needs the second one', async () => {
  const boss = await anOperator(deps, ['owner'])
  await db.query(`update backoffice_operators set roles = '{finance,owner}' where id = $1`, [boss.id])
  const helper = await anOperator(deps, ['support'])
  const asked = await run(boss, 'operator.roles', { operatorId: helper.id, roles: ['finance'] })
  expect([asked.data.state, asked.data.level]).toEqual(['waiting', 'second'])
  // An approver lends no permissions: at execution the requester's own permissions count
  await db.query(`update backoffice_operators set roles = '{support}' where id = $1`, [boss.id])
  const chief = await anOperator(deps, ['owner'])
  const decided = await post('/operator/command/approve', { no: asked.data.no, reason: '' }, { token: chief.token })
  expect(decided.data).toMatchObject({ state: 'refused', difference: { refusal: { name: 'FORBIDDEN' } } })
  const token = await post('/operator/token/make', { name: 'x', permissions: ['payments.refund', 'rules.change'], days: 1 }, { token: helper.token })
  expect(token.code).toBe(5008)
})

test('operators are admitted only from the configured networks', async () => {
  const operator = await anOperator(deps, ['support'])
  const from = (address: string) => call('GET', '/operator/me', {}, { token: operator.token, ip: address })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, networks, ['203.0.113.0/24', '2001:db8::/32']))
  for (const [address, status] of [
    ['203.0.113.9', 200],
    ['::ffff:203.0.113.9', 200],
    ['2001:db8::1', 200],
    ['203.0.114.9', 401],
    ['2001:db9::1', 401],
  ] as const)
    expect([address, (await from(address)).status]).toEqual([address, status])
  clock.advance(30_000)
  expect((await signIn(operator.mail, codeOf(operator), { password: PASSWORD, from: '198.51.100.1' })).code).toBe(5001)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, networks, []))
})

test('a passkey signs in and steps up once a challenge; another origin, challenge or key, an unverified user and a copy fail', async () => {
  const operator = await anOperator(deps, ['support'])
  const key = createSoftPasskey('https://ops.example')
  const asked = (await post('/operator/passkey/options', {}, { token: operator.token })).data
  const added = await post(
    '/operator/passkey/add',
    { id: asked.id, name: 'Laptop', credential: key.register(asked.options.challenge) },
    { token: operator.token },
  )
  expect(added.code, added.msg).toBe(200)
  const challenge = async () => (await post('/operator/passkey/challenge', {})).data
  const enter = async (sign: (challenge: string) => unknown) => {
    const { id, options } = await challenge()
    const credential = sign(options.challenge)
    return [(await post('/operator/passkey/signIn', { id, credential })).code, (await post('/operator/passkey/signIn', { id, credential })).code]
  }
  expect(await enter((text) => key.sign(text))).toEqual([200, 5001])
  expect(await enter((text) => key.sign(text, { at: 'https://ops.example.evil.example' }))).toEqual([5001, 5001])
  expect(await enter((text) => key.sign(text, { flags: 0x01 }))).toEqual([5001, 5001])
  expect(await enter(() => key.sign(Buffer.from('another challenge').toString('base64url')))).toEqual([5001, 5001])
  expect(await enter((text) => ({ ...createSoftPasskey('https://ops.example').sign(text), id: key.id, rawId: key.id }))).toEqual([5001, 5001])
  const step = (await post('/operator/stepUp/challenge', {}, { token: operator.token })).data
  const proven = await post('/operator/stepUp', { id: step.id, credential: key.sign(step.options.challenge) }, { token: operator.token })
  expect([proven.code, (await me(operator.token)).status, (await me(proven.data.token)).status]).toEqual([200, 401, 200])
  // A challenge for sign-in does not step up, nor does another operator's passkey
  const wrong = await challenge()
  expect((await post('/operator/stepUp', { id: wrong.id, credential: key.sign(wrong.options.challenge) }, { token: proven.data.token })).code).toBe(5001)
  key.rewind()
  expect(await enter((text) => key.sign(text))).toEqual([5001, 5001])
  expect((await post('/operator/passkey/remove', { passkeyId: key.id }, { token: proven.data.token })).code).toBe(200)
})
