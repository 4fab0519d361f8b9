import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '#platform/shared/contract.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestReply } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { aHolderForm, aStoredPicture, aReadyHolder } from '#features/identity/server/builders.ts'
import { anActiveCard, aRecharge } from '#features/cards/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { aMailbox } from '#features/mailbox/server/builders.ts'
import { aNumber, aPack } from '#features/numbers/server/builders.ts'
import { aFailedRegistration } from '#features/registration/server/builders.ts'
import { aReward } from '#features/invitations/server/builders.ts'
import { anOfferedBrowser } from '#features/browser/server/builders.ts'
import { aRemoteNode } from '#features/remote/server/builders.ts'
import { aStartedTask, aServiceDraft } from '#features/services/server/builders.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { aDraftUpgrade } from '#features/upgrade/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { features } from '../features.ts'
import { accountSamples } from './account.ts'
import { cardSamples } from './cards.ts'
import { paymentSamples } from './payments.ts'
import { factorSamples } from './factors.ts'
import { proxySamples } from './proxy.ts'
import { identitySamples } from './identity.ts'
import { serviceSamples } from './services.ts'
import { toolSamples } from './tools.ts'
import { buildForeignFields, buildIdVariants, formatEndpointPath, buildPathVariants, listHostileValues } from './hostile-calls.ts'
import { selectOrderedItems, selectVictimRows, selectUserState } from './data-victim.ts'
import type { Victim } from './data-victim.ts'

// Generated from the route table: an endpoint that is added without a line in SAMPLES fails here (money.md K1 to K4, Z1, Z3, L12).
const db = await useTestDb()
const app = createTestApp({ features, db, env: { IDENTITY_FOLDER: mkdtempSync(`${tmpdir()}/papers-`) } })

const PAYEE = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', payPassword: '271828' }

/** A valid input of each endpoint with the victim's own ids in it; `harmless` ones may be run repeatedly. */
const SAMPLES: Readonly<Record<string, (victim: Victim) => Record<string, unknown>>> = {
  ...accountSamples,
  ...factorSamples,
  'POST /user/inviteCode': () => ({ inviteCode: 'FRIEND', invitationType: 2 }),
  'POST /user/updateInvitedCode': () => ({ inviteCode: 'FRIEND' }),
  'POST /v1/fission/updateInvitation': () => ({ inviteCode: 'FRIEND' }),
  'GET /invitation/info': () => ({}),
  'GET /invitation/landing': () => ({ code: 'FRIEND' }),
  'POST /invitation/list': () => ({ filter: 'all', pageSize: 20 }),
  'POST /invitation/code': () => ({ code: 'MINE2026' }),
  'POST /invitation/withdrawal': () => ({ withdrawType: 2, ...PAYEE }),
  'GET /v1/fission/getInvitationRewardStat': () => ({}),
  'GET /v1/fission/getInvitationReward': () => ({}),
  'POST /v1/fission/invitationRewardWithdraw': () => ({}),
  'GET /v1/fission/listInvitation': () => ({ pageSize: 20 }),
  'GET /v1/fission/listSecondInvitation': () => ({ pageSize: 20 }),
  'GET /v1/fission/listTieredInvitation': () => ({ pageSize: 20 }),
  'GET /v1/fission/listCashback': () => ({ pageSize: 20 }),
  'POST /account/setPayPassword': () => ({ password: '849371', verifyCode: '000000' }),
  'POST /account/verifyPayPassword': () => ({ password: '849372' }),
  'POST /account/modifyPayPassword': () => ({ oldPassword: '849373', password: '937104' }),
  'POST /account/resetPayPassword': () => ({ password: '937104', verifyCode: '000000' }),
  'GET /v1/userWrapperApi/balanceInfo': () => ({}),
  'GET /user/funds': () => ({}),
  'GET /user/fundsSummary': () => ({}),
  'GET /user/funds.csv': () => ({}),
  'GET /user/statement': () => ({}),
  'POST /user/key/generate': () => ({ keyName: 'a new key' }),
  'POST /user/key/update': (v) => ({ keyName: 'taken over', keyId: v.keyId }),
  'POST /user/key/delete': (v) => ({ keyId: v.keyId, apiToken: v.secret }),
  'GET /user/key/spend': () => ({}),
  'POST /user/key/rotate': (v) => ({ keyId: v.keyId, requestKey: 'a-request-key-0001' }),
  'POST /user/key/endOld': (v) => ({ keyId: v.keyId }),
  'POST /user/key/switch': (v) => ({ keyId: v.keyId, on: false }),
  'POST /user/key/test': (v) => ({ keyId: v.keyId, model: 'gpt-6-luna', text: 'hello' }),
  'GET /user/requests': (v) => ({ keyId: v.keyId }),
  'GET /user/requests/counts': (v) => ({ keyId: v.keyId }),
  'GET /user/requests/open': (v) => ({ keyId: v.keyId }),
  'GET /user/requests/refused': () => ({ id: 'ref_of_the_victim' }),
  'GET /user/alerts': () => ({}),
  'POST /user/alerts': () => ({ lowBalance: '5', webhookUrl: null }),
  'POST /user/alerts/test': () => ({}),
  'GET /user/key/list': () => ({ includeDeleted: 'true' }),
  'GET /user/usage': (v) => ({ keyId: v.keyId }),
  'GET /user/usage/series': (v) => ({ keyId: v.keyId }),
  'GET /user/usage.csv': (v) => ({ keyId: v.keyId, from: '2026-01-01', to: '2026-12-31' }),
  'GET /user/usage/calls': (v) => ({ keyId: v.keyId }),
  'GET /user/usage/call': () => ({ callId: 'call_of_the_victim' }),
  'GET /user/usage/summary': () => ({}),
  ...paymentSamples,
  'GET /common/exchangeRate': () => ({}),
  'GET /common/maintain': () => ({}),
  ...cardSamples,
  'GET /common/captcha/challenge': () => ({ scene: 'login' }),
  'POST /common/captcha/slide': () => ({ id: 'no-such-puzzle', x: 100, trail: [[0, 0]] }),
  'GET /common/site': () => ({}),
  'GET /common/indexCount/{type}': () => ({ type: 'users' }),
  'GET /common/support/widget': () => ({}),
  'POST /common/support/overview': () => ({}),
  'POST /common/support/start': () => ({ clientId: crypto.randomUUID(), text: 'Where is my money?' }),
  'POST /common/support/send': (v) => ({ conversationId: v.conversationId, clientId: crypto.randomUUID(), text: 'taken over' }),
  'POST /common/support/messages': (v) => ({ conversationId: v.conversationId }),
  'POST /common/support/wait': (v) => ({ conversationId: v.conversationId, version: 0, afterSeq: 0, waitSeconds: 0 }),
  'POST /common/support/read': (v) => ({ conversationId: v.conversationId, seq: 1 }),
  'POST /common/complaint': () => ({ content: 'Paid twice', email: 'angry@example.com' }),
  ...serviceSamples,
  ...identitySamples,
  ...toolSamples,
  ...proxySamples,
  'GET /common/figures': () => ({}),
  'POST /common/helpVote': () => ({ article: 'quick-start', answer: 'yes' }),
}

const endpoints: readonly (readonly [string, Endpoint])[] = features
  .flatMap((feature) => (feature.routes ?? []).flatMap((binding) => Object.values(binding.contract)))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
let victim: Victim
/** Tokens that were valid once. */
let gone: Readonly<Record<'ended' | 'expired' | 'frozen' | 'deleted', string>>
let other: Awaited<ReturnType<typeof aUser>>

beforeAll(async () => {
  for (const name of ['gateway', 'flex', 'mailbox', 'numbers', 'proxy', 'registration', 'browser', 'remote', 'upgrade'])
    await features.find((feature) => feature.name === name)?.start?.(app.deps, new Set(['api']))
  await anOfferedBrowser(db)
  await aRemoteNode(db)
  await chooseCaptcha(app.deps, 'off')
  await db.query(`insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test')`)
  const canary = 'CANARY-7f3a9'
  const user = await aUser(app.deps, { email: 'victim-canary-7f3a9@example.com' })
  await aFundedUser(db, { userId: user.userId })
  await aPayPassword(app.deps, user.userId, '271828')
  await aReward(app.deps, db.owner, user.userId)
  const { key, secret } = await aKey(db, user.userId, { name: canary })
  const order = await app.call('POST', '/api/go/v1/payOrder', SAMPLES['POST /api/go/v1/payOrder']!({} as Victim), {
    token: user.token,
    idempotencyKey: 'victim-order',
  })
  expect(order.code, order.msg).toBe(200)
  const { id: conversationId } = await aConversation(app.deps, { userId: user.userId, text: canary })
  await aReadyHolder(app.deps, user.userId, { holder: aHolderForm({ street: `${canary} Road` }) })
  const filePath = await aStoredPicture(app.deps, user.userId, { purpose: 'idFront', jpeg: Buffer.from(canary), size: { width: 600, height: 400 } })
  await db.query(`update identity_people set status = 'saved', face_passed_at = null where user_id = $1`, [user.userId])
  const { certifyId } = (await app.call('GET', '/account/identityVerify', {}, { token: user.token })).data
  const card = await anActiveCard(app.deps, { userId: user.userId })
  await db.query('update cards_cards set holder = $2 where id = $1', [card.id, canary])
  const billId = `${await aRecharge(app.deps, card, 25_000_000_000n)}i`
  const numberId = await aNumber(app.deps, { userId: user.userId, text: canary, code: canary })
  const { id: boxId, mailId } = await aMailbox(app.deps, { userId: user.userId, sessionId: user.sessionId, mail: { subject: canary, text: canary } })
  await features.find((feature) => feature.name === 'flex')!.jobs![0]!.handle(app.deps, {})
  await aStartedTask(app.deps, { userId: user.userId, service: 'flex', product: '30' })
  const taskId = await aServiceDraft(app.deps, { userId: user.userId, service: 'flex', product: '2' })
  await db.query('update services_tasks set facts = $2 where id = $1', [taskId, JSON.stringify({ packageId: 2, canary })])
  const [packId, failedId] = [await aPack(app.deps, user.userId), await aFailedRegistration(app.deps, user.userId)]
  const upgradeId = await aDraftUpgrade(app.deps, { userId: user.userId, account: 'canary-7f3a9@example.com' })
  const built = { upgradeId, packId, failedId, cardId: card.id, billId, taskId, filePath, certifyId, conversationId, numberId, boxId, mailId: mailId! }
  victim = { ...user, ...built, canary, keyId: key.keyId, secret, orderNo: order.data.orderNo }
  other = await aUser(app.deps)
  await aFundedUser(db, { userId: other.userId })
  const [ended, expired, frozen, deleted] = [await aUser(app.deps), await aUser(app.deps), await aUser(app.deps), await aUser(app.deps)]
  expect((await app.call('POST', '/user/logout', {}, { token: ended.token })).status).toBe(200)
  await db.query(`update account_sessions set expires_at = now() - interval '1 second' where id = $1`, [expired.sessionId])
  await db.query(`update account_users set status = 'frozen', frozen_at = now(), frozen_reason = 'test', frozen_by = 'test' where id = $1`, [frozen.userId])
  // The session itself stays: it must not be the only check.
  await db.query(`update account_users set status = 'deleted', closed_at = now() where id = $1`, [deleted.userId])
  gone = { ended: ended.token, expired: expired.token, frozen: frozen.token, deleted: deleted.token }
})

const send = (endpoint: Endpoint, input: Record<string, unknown>, options: { token?: string; idempotencyKey?: string } = {}): Promise<TestReply> =>
  app.call(endpoint.method, formatEndpointPath(endpoint, input), input, {
    ip: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    ...(endpoint.idempotency ? { idempotencyKey: `k-${Math.random()}` } : {}),
    ...options,
  })

const selectVictim = () => selectVictimRows(db, victim)
const selectState = (userId: string) => selectUserState(db, userId)
const selectOrdered = (userId: string) => selectOrderedItems(db, userId)

test('every endpoint has a sample, and every sample an endpoint', () => {
  expect(endpoints.map(([name]) => name).sort()).toEqual(Object.keys(SAMPLES).sort())
})

describe.each(endpoints)('%s', (name, endpoint) => {
  const sample = () => SAMPLES[name]!(victim)

  test.runIf(endpoint.access !== 'public')('refuses absent, made-up and misshapen tokens, ended and expired sessions, frozen and deleted users', async () => {
    for (const token of [undefined, 'x'.repeat(43), '', `Bearer ${victim.token}`, victim.token.slice(0, -1), ...Object.values(gone)]) {
      const answer = await send(endpoint, sample(), token === undefined ? {} : { token })
      expect([answer.status, answer.code]).toEqual([401, 401])
      expect(answer.data).toBeNull()
    }
  })

  test('shows nothing of the victim to another user', async () => {
    const before = await selectVictim()
    expect(before).toHaveLength(13)
    const answer = await send(endpoint, sample(), { token: other.token })
    expect(answer.raw.body).not.toContain('7f3a9')
    expect(answer.raw.body).not.toContain(victim.secret)
    expect(JSON.stringify(answer.raw.headers)).not.toContain('7f3a9')
    expect(answer.status).toBeLessThan(500)
    expect(await selectVictim()).toEqual(before)
    if (name === 'POST /user/logout')
      other = { ...other, ...(await import('#features/account/server/builders.ts').then((module) => module.signInBuiltUser(app.deps, other))) }
  })

  test('an id of the victim in another shape opens it no more than the id itself', async () => {
    const ids = new Set<unknown>([
      victim.keyId,
      victim.orderNo,
      victim.conversationId,
      victim.sessionId,
      victim.userId,
      victim.secret,
      victim.filePath,
      victim.certifyId,
      victim.cardId,
      victim.billId,
      victim.upgradeId,
      [
        ...[victim.keyId, victim.orderNo, victim.sessionId, victim.userId, victim.conversationId, victim.filePath, victim.cardId],
        ...[victim.numberId, victim.taskId, victim.boxId, victim.mailId],
      ],
    ])
    const before = await selectVictim()
    for (const [field, value] of Object.entries(sample())) {
      if (typeof value !== 'string' || !ids.has(value)) continue
      for (const shape of buildIdVariants(value)) {
        const answer = await send(endpoint, { ...sample(), [field]: shape }, { token: other.token })
        expect([shape, answer.status]).toEqual([shape, expect.toSatisfy((status: number) => status < 500)])
        expect([shape, answer.raw.body]).toEqual([shape, expect.not.stringContaining('7f3a9')])
      }
    }
    expect(await selectVictim()).toEqual(before)
  })

  test('ignores fields that are not its own', async () => {
    const own = Object.keys(sample())
    const extra = Object.fromEntries(Object.entries(buildForeignFields(victim)).filter(([field]) => !own.includes(field)))
    const [before, victims] = [await selectState(other.userId), await selectVictim()]
    const answer = await send(endpoint, { ...extra, ...sample() }, { token: other.token })
    expect(answer.status).toBeLessThan(500)
    expect(answer.raw.body).not.toContain('7f3a9')
    if (name === 'POST /api/go/v1/payOrder')
      expect([answer.data.payStatus, answer.data.fee, answer.data.rate]).toEqual([0, '0.7', expect.not.stringMatching('^0.0001')])
    if (name === 'POST /user/logout')
      other = { ...other, ...(await import('#features/account/server/builders.ts').then((module) => module.signInBuiltUser(app.deps, other))) }
    expect(await selectState(other.userId)).toEqual(before)
    expect(await selectVictim()).toEqual(victims)
  })

  test.runIf(endpoint.path.includes('{'))('goes by its path, whatever the body or the query names', async () => {
    const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
    const path = formatEndpointPath(endpoint, { ...sample(), ...Object.fromEntries(named.map((field) => [field, 'no-such'])) })
    const rest = Object.fromEntries(Object.entries(sample()).filter(([field]) => !named.includes(field)))
    const ask = (input: Record<string, unknown>) => app.call(endpoint.method, path, input, { token: other.token, idempotencyKey: `path ${Math.random()}` })
    const [plain, moved] = [await ask(rest), await ask(sample())]
    expect(plain.status).toBeGreaterThanOrEqual(400)
    expect([moved.status, moved.code]).toEqual([plain.status, plain.code])
  })

  test('answers hostile values with a clear error, never with a failure of its own', async () => {
    const shape = (endpoint.input as z.ZodType & { shape?: Record<string, unknown> }).shape ?? {}
    for (const field of Object.keys(shape)) {
      for (const value of listHostileValues(endpoint, sample(), field)) {
        const answer = await send(endpoint, { ...sample(), [field]: value }, { token: other.token })
        expect(answer.status, `${field}=${JSON.stringify(value)?.slice(0, 40)} ${answer.raw.body.slice(0, 200)}`).toBeLessThan(500)
        if (answer.status === 400) expect(answer.data?.fields?.map((each: string) => each.split('.')[0]) ?? [field]).toContain(field)
      }
    }
    if (name === 'POST /user/logout')
      other = { ...other, ...(await import('#features/account/server/builders.ts').then((module) => module.signInBuiltUser(app.deps, other))) }
  })

  test.runIf(endpoint.idempotency === 'required')('needs an idempotency key, repeats the reply, and refuses the key for another request', async () => {
    const bare = await app.call(endpoint.method, endpoint.path, sample(), { token: victim.token })
    expect([bare.status, bare.code]).toEqual([400, 4001])
    const first = await send(endpoint, sample(), { token: victim.token, idempotencyKey: `once ${name}` })
    const again = await Promise.all(Array.from({ length: 20 }, () => send(endpoint, sample(), { token: victim.token, idempotencyKey: `once ${name}` })))
    for (const answer of again) expect([answer.status, answer.raw.json()]).toEqual([first.status, first.raw.json()])
    const elsewhere = {
      ...('id' in sample() ? { id: `${String(sample()['id']).split('_')[0]}_0000000000000000` } : {}),
      ...('exit' in sample() ? { exit: 'another' } : {}),
      ...('type' in sample() && endpoint.path.startsWith('/v1/tool/') ? { type: 2 } : {}),
      ...('username' in sample() ? { username: 'anothername' } : {}),
      ...('email' in sample() ? { email: 'another@example.com' } : {}),
      ...('packageId' in sample() ? { packageId: 5 } : {}),
      ...('platform' in sample() ? { platform: 2 } : {}),
      ...('words' in sample() ? { words: 'Other words about the same charge.' } : 'more' in sample() ? { more: true } : {}),
    }
    const changed = await send(
      endpoint,
      { ...sample(), amount: '21', content: 'another', ...elsewhere },
      { token: victim.token, idempotencyKey: `once ${name}` },
    )
    // An endpoint without input cannot be called with a different body
    if (Object.keys(sample()).length) expect([changed.status, changed.code]).toEqual([409, 4002])
    const others = await send(endpoint, sample(), { token: other.token, idempotencyKey: `once ${name}` })
    // A taken name is refused for all users alike, so the refusals may be identical.
    if (name !== 'POST /reward/email/apply' && first.code === 200) expect(others.raw.body).not.toBe(first.raw.body)
  })
})

describe.each(endpoints.filter(([, { idempotency }]) => idempotency === 'optional'))('%s', (name, endpoint) => {
  test('needs no idempotency key, and a repeat moves no money and orders nothing', async () => {
    const bare = () => app.call(endpoint.method, formatEndpointPath(endpoint, SAMPLES[name]!(victim)), SAMPLES[name]!(victim), { token: victim.token })
    const first = await bare()
    expect(first.code).not.toBe(4001)
    const after = await selectOrdered(victim.userId)
    for (const again of [await bare(), await bare()]) expect(again.status).toBeLessThan(500)
    expect(await selectOrdered(victim.userId)).toEqual(after)
  })
})

test('unknown routes, methods and spellings answer 404 in the envelope', async () => {
  for (const [method, path] of [
    ['GET', '/user/key/generate'],
    ['POST', '/USER/INFO'],
    ['GET', '/user//info'],
    ['POST', '/user/info.'],
    ['GET', '/admin'],
  ] as const) {
    const answer = await app.call(method, path, {}, { token: other.token })
    expect([path, answer.status, answer.code]).toEqual([path, 404, 404])
  }
})

test('no spelling of a path and no other method bypasses access control', async () => {
  const spoken = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
  let tried = 0
  for (const [name, endpoint] of endpoints.filter(([, { access }]) => access !== 'public')) {
    const path = formatEndpointPath(endpoint, SAMPLES[name]!(victim))
    const ask = async (method: (typeof spoken)[number], url: string, headers: Record<string, string> = {}) => {
      const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? { payload: JSON.stringify(SAMPLES[name]!(victim)) } : {}
      const reply = await app.inject({ method, url, headers: { ...(body.payload ? { 'content-type': 'application/json' } : {}), ...headers }, ...body })
      tried++
      expect([name, method, url, reply.statusCode]).toEqual([name, method, url, expect.toSatisfy((status: number) => status >= 400 && status < 500)])
      expect(reply.body).not.toContain('7f3a9')
    }
    for (const url of buildPathVariants(path)) await ask(endpoint.method, url)
    for (const method of spoken) if (method !== endpoint.method) await ask(method, path)
    await ask(endpoint.method, path, { 'x-http-method-override': 'OPTIONS', 'x-original-url': '/common/site', 'x-rewrite-url': '/common/site' })
    await ask(endpoint.method, path, { 'x-forwarded-for': '127.0.0.1', 'x-user-id': victim.userId, 'authorization': `Bearer ${victim.token}` })
  }
  expect(tried).toBeGreaterThan(1000)
})

test('a body over one megabyte and a body that is not JSON get their own errors', async () => {
  const large = await app.inject({
    method: 'POST',
    url: '/user/login',
    payload: `{"email":"${'x'.repeat(1_100_000)}"}`,
    headers: { 'content-type': 'application/json' },
  })
  expect([large.statusCode, large.json().code]).toEqual([413, 413])
  for (const payload of ['{"email":', '[]', '"x"', 'null', '{"__proto__":{"x":1}}']) {
    const answer = await app.inject({ method: 'POST', url: '/user/login', payload, headers: { 'content-type': 'application/json' } })
    expect([payload, answer.statusCode, answer.json().code]).toEqual([payload, 400, 400])
  }
})
