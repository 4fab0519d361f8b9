import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aPayPassword, aUser, freezeAccount } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask, selectTask, workTask } from '#features/services/server/door.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { buildBasicAuth, waitForClose, openTunnel } from '#features/proxy/server/testing/proxy-clients.ts'
import { openProxyClientSession, fetchThroughProxy } from '../../../scripts/browser-client.ts'
import type { ProxyClientSession } from '../../../scripts/browser-client.ts'
import { anOfferedBrowser } from './builders.ts'
import { browser } from './index.ts'
import { readPackageState } from './packages/live.ts'
import { browserFiles, trialsPerDay } from './settings.ts'

const LARGE = 'x'.repeat(600_000)
const target = createServer((request, reply) => reply.end(request.url === '/large' ? LARGE : 'the page'))
await new Promise<void>((done) => target.listen(0, '127.0.0.1', () => done()))
const TARGET = `127.0.0.1:${(target.address() as { port: number }).port}`
const db = await useTestDb({ max: 20 })
const { app, call, deps, settle } = createTestApp({
  features: [browser, proxy, services, payments, wallet, account, notices, risk, support],
  db,
  clock: createRunningClock(),
  env: { PROXY_PORT: '0', PROXY_HOST: '127.0.0.1', PROXY_TEST_TARGETS: TARGET },
})
const PIN = '271828'
const DAY = 86_400
let stop: (() => Promise<void>) | void
let site = ''
let user: BuiltUser

beforeAll(async () => {
  stop = await proxy.start!(deps, new Set(['proxy']))
  await browser.start!(deps, new Set())
  site = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await stop?.()
  target.closeAllConnections()
  target.close()
})
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 20n * NANO_PER_USD })
  await makeTrialEligible(db, user.userId)
  await offer(true)
})

const offer = (isOn: boolean) => (isOn ? anOfferedBrowser(db.owner) : db.owner.query('delete from settings where key = $1', [browserFiles.key]))
const API = '/v1/tool/proxy/browser'
const ACCOUNT = '/v1/tool/overseaAccount'
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const get = (path: string, query: object = {}) => call('GET', path, query, { token: user.token })
const info = async () => (await get(`${API}/packageUseInfo`)).data
const tunnelOf = ({ port, username, password }: ProxyClientSession) => openTunnel(port, TARGET, buildBasicAuth(username, password))
const money = async () => formatUsd((await readBalance(db, user.userId)).posted)

async function bought(path = `${API}/apply`): Promise<string> {
  const { data } = await post(path)
  expect((await post('/v1/pay/balancePay', { orderType: 8, service: data.pay.service, payPassword: PIN })).code).toBe(200)
  await workTask(deps, data.task.id)
  return data.task.id
}
async function tried(): Promise<void> {
  expect((await post(`${API}/activateTrial`)).data.pay).toBeNull()
  await waitForValue(async () => ((await info()).kind === 'trial' ? true : undefined), 'the trial')
}

test('two packages that are paid at once last twice as long', async () => {
  const ids: string[] = []
  for (let n = 0; n < 2; n++) {
    const { data } = await post(`${API}/apply`)
    ids.push(data.task.id)
    expect((await post('/v1/pay/balancePay', { orderType: 8, service: data.pay.service, payPassword: PIN })).code).toBe(200)
  }
  await Promise.all(ids.map((id) => workTask(deps, id)))
  await waitForValue(async () => {
    for (const id of ids) await workTask(deps, id)
    const states = await Promise.all(ids.map(async (id) => (await selectTask(db, id))!.state))
    return states.includes('making') ? undefined : states
  }, 'both packages')
  expect(Math.ceil((await info()).remainingTime / DAY)).toBe(60)
  expect(await money()).toBe('10.02')
})

test('without a file in the settings nothing is offered, and nothing begins', async () => {
  await offer(false)
  expect(await info()).toMatchObject({ isOffered: false, kind: 'none', trial: { days: 7, isLeft: true }, package: { days: 30, price: '4.99' } })
  for (const path of ['activateTrial', 'apply', 'singleUseApply']) expect((await post(`${API}/${path}`)).code).toBe(3761)
  expect((await post(`${API}/authToken`)).code).toBe(3763)
})

test('hub, page and order agree on availability, and an order priced before the offer ended takes no money', async () => {
  const inHub = async () => (await get('/v1/service/catalogue')).data.rowList.find(({ name }: { name: string }) => name === 'browser')
  expect([(await inHub()).isOffered, (await info()).isOffered]).toEqual([true, true])
  const { pay } = (await post(`${API}/apply`)).data
  await offer(false)
  expect([(await inHub()).isOffered, (await info()).isOffered, (await get(`${API}/singleUseInfo`)).data.isOffered]).toEqual([false, false, false])
  const before = (await readBalance(db, user.userId)).available
  expect((await post('/v1/pay/balancePay', { orderType: 8, service: pay.service, payPassword: PIN })).code).not.toBe(200)
  expect((await readBalance(db, user.userId)).available).toBe(before)
})

test('a trial that begins during a read is not reported as over', async () => {
  await post(`${API}/activateTrial`)
  await waitForValue(async () => ((await info()).kind === 'trial' ? true : undefined), 'the trial')
  const [task] = await db.query<{ id: string }>(`select id from services_tasks where user_id = $1 and service = 'browser'`, [user.userId])
  const put = (phase: string, state: string) => db.owner.query('update services_tasks set phase = $2, state = $3 where id = $1', [task!.id, phase, state])
  await put('waiting', 'making')
  // The use begins right after the first reading
  const racing: typeof db.query = async (text, values) => {
    const rows = await db.query(text, values)
    await put('using', 'using')
    return rows as never
  }
  const { live, last } = await readPackageState({ query: racing, insertRows: db.insertRows.bind(db) }, user.userId)
  expect([live, last?.state]).toEqual([undefined, 'making'])
})

test('the trial is free and given once, also for two concurrent requests', async () => {
  const answers = await Promise.all([post(`${API}/activateTrial`), post(`${API}/activateTrial`)])
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 3762])
  await waitForValue(async () => ((await info()).kind === 'trial' ? true : undefined), 'the trial')
  const { remainingTime, trial } = await info()
  expect(remainingTime).toBeGreaterThan(7 * DAY - 60)
  expect(trial.isLeft).toBe(false)
  expect((await post(`${API}/activateTrial`)).code).toBe(3762)
  expect(await money()).toBe('20')
})

test('a deleted account that returns with the same mailbox gets no second trial', async () => {
  user = await aUser(deps, { email: `wang.${createId('mail')}@gmail.com` })
  await makeTrialEligible(db, user.userId)
  await tried()
  expect((await post('/v1/user/deleteAccount', { password: user.password })).code).toBe(200)
  for (const email of [user.email, user.email.replace('@', '+again@').replace('wang.', 'wang')]) {
    user = await aUser(deps, { email })
    expect((await info()).trial.isLeft).toBe(false)
    expect((await post(`${API}/activateTrial`)).code).toBe(3762)
    expect((await post('/v1/user/deleteAccount', { password: user.password })).code).toBe(200)
  }
})

test('an account that never paid and is not identified gets no trial', async () => {
  user = await aUser(deps)
  expect((await post(`${API}/activateTrial`)).code).toBe(3708)
  expect((await info()).kind).toBe('none')
})

test('trials have a daily limit over all accounts', async () => {
  const limit = (most: number) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, trialsPerDay, most))
  await limit(1)
  const second = await aUser(deps)
  await makeTrialEligible(db, second.userId)
  const given = [user, second].map(({ token }) => call('POST', `${API}/activateTrial`, {}, { token }))
  expect((await Promise.all(given)).filter(({ code }) => code === 3768).length).toBeGreaterThan(0)
  await limit(200)
  await tried()
})

test('a package extends the one in use without losing a day, and is charged once', async () => {
  await tried()
  expect((await post(`${API}/apply`, { amount: '3.99' })).code).toBe(3767)
  const id = await bought()
  const { kind, remainingTime } = await info()
  expect(kind).toBe('package')
  expect(remainingTime).toBeGreaterThan(37 * DAY - 60)
  expect(await money()).toBe('15.01')
  expect(await selectTask(db, id)).toMatchObject({ state: 'using', money: 'charged' })
  await bought(`${API}/singleUseApply`)
  expect(await money()).toBe('14.52')
  expect((await info()).remainingTime).toBeGreaterThan(38 * DAY - 60)
})

test('the client opens pages with its token; a new token, a new session and the end each revoke the one before', async () => {
  await tried()
  const { token } = (await post(`${API}/authToken`)).data
  const session = await openProxyClientSession(site, token)
  expect(session.renewAfter).toBeLessThanOrEqual(3600)
  expect(await fetchThroughProxy(session, `http://${TARGET}/`)).toEqual({ status: 200, body: 'the page' })
  expect((await fetchThroughProxy(session, 'http://10.0.0.1/')).status).toBe(403)
  const renewed = await openProxyClientSession(site, token)
  expect((await fetchThroughProxy(session, `http://${TARGET}/`)).status).toBe(407)
  const open = await tunnelOf(renewed)
  expect(open.status).toBe(200)
  const second = (await post(`${API}/authToken`)).data.token
  await waitForClose(open.socket)
  expect((await fetchThroughProxy(renewed, `http://${TARGET}/`)).status).toBe(407)
  await expect(openProxyClientSession(site, token)).rejects.toThrow(/token/)
  const last = await openProxyClientSession(site, second)
  expect((await tunnelOf(last)).status).toBe(200)
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() - interval '1 second' where user_id = $1`, [user.userId])
  await expect(openProxyClientSession(site, second)).rejects.toThrow(/active trial or package/)
  expect((await info()).kind).toBe('none')
})

test('an address opens 600 sessions an hour, wrong tokens included; the next one is refused, from another address not', async () => {
  const open = (ip: string) => call('POST', `${API}/session`, { token: 'x'.repeat(43) }, { ip })
  const codes: number[] = []
  for (let n = 0; n < 600; n += 50) codes.push(...(await Promise.all(Array.from({ length: 50 }, () => open('203.0.113.9')))).map(({ code }) => code))
  const [code] = new Set(codes)
  expect([new Set(codes).size, codes.length, code]).toEqual([1, 600, 3764])
  expect((await open('203.0.113.9')).status).toBe(429)
  expect((await open('203.0.113.10')).code).toBe(code)
})

const news = (event: string) =>
  transact(db, SYSTEM, async (tx) => {
    await tx.emit(event, { userId: user.userId })
    await tx.audit('test', 'test')
  })
const ENDS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['is frozen', () => freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test' })],
  ['is deleted', async () => expect((await post('/v1/user/deleteAccount', { password: user.password })).code).toBe(200)],
  ['drops its secrets', () => news('user.secrets-dropped')],
]
test.each(ENDS)('the tokens of an account that %s open nothing, and what they opened is cut', async (_what, end) => {
  user = await aUser(deps) // Without money, because an account with money cannot be closed
  await makeTrialEligible(db, user.userId)
  await tried()
  const { token } = (await post(`${API}/authToken`)).data
  const { code } = (await post('/v1/tool/proxy/extension/code')).data
  const extension = (await call('POST', '/v1/tool/proxy/extension/link', { code, name: 'Chrome' })).data.token
  const unused = (await post('/v1/tool/proxy/extension/code')).data.code
  const open = await tunnelOf(await openProxyClientSession(site, token))
  expect(open.status).toBe(200)
  await end()
  await settle()
  await expect(openProxyClientSession(site, token)).rejects.toThrow(/token/)
  expect((await call('POST', '/v1/tool/proxy/extension/state', { token: extension })).code).toBe(3755)
  const { data } = await call('POST', '/v1/tool/proxy/extension/link', { code: unused, name: 'Edge' })
  if (data?.token) expect((await call('POST', '/v1/tool/proxy/extension/state', { token: data.token })).code).toBe(3755)
  await waitForClose(open.socket)
})

test('neither a new session nor a new token brings fresh traffic before its time', async () => {
  await db.owner.query(`insert into settings (key, value, updated_by) values ('proxy.megabytes', '1', 'test')`)
  await tried()
  let { token } = (await post(`${API}/authToken`)).data
  const statuses: number[] = []
  const read = async () => void statuses.push((await fetchThroughProxy(await openProxyClientSession(site, token), `http://${TARGET}/large`)).status)
  await read()
  await read().catch(() => statuses.push(0))
  token = (await post(`${API}/authToken`)).data.token
  await read()
  expect(statuses).toEqual([200, 0, 429])
  await db.owner.query(`update proxy_uses set created_at = created_at - interval '61 minutes' where user_id = $1`, [user.userId])
  await read()
  expect(statuses.at(-1)).toBe(200)
  await db.owner.query(`delete from settings where key = 'proxy.megabytes'`)
})

test('a tunnel does not outlive the trial: credentials end with it, and what is open then is cut', async () => {
  await tried()
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() + interval '8 seconds' where user_id = $1 and state = 'using'`, [user.userId])
  const session = await openProxyClientSession(site, (await post(`${API}/authToken`)).data.token)
  expect(Date.parse(session.expiresTime) - Date.now()).toBeLessThan(60_000)
  const open = await tunnelOf(session)
  expect(open.status).toBe(200)
  await waitForClose(open.socket)
  expect((await tunnelOf(session)).status).toBe(407)
  expect((await info()).last).toMatchObject({ kind: 'trial' })
})

test('the last package is shown if it ended or failed, with trial and money returned, and not if it was joined', async () => {
  expect((await info()).last).toBeNull()
  const stand = (id: string, to: 'failed' | 'ended', cause: string) =>
    transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['making', 'using'], to: { to, cause } }))
  const stalled = await stall(user.userId)
  const { data: trial } = await post(`${API}/activateTrial`)
  expect(await info()).toMatchObject({ kind: 'none', last: { kind: 'trial', state: 'making' }, trial: { isLeft: false } })
  await stand(trial.task.id, 'failed', 'late')
  expect(await info()).toMatchObject({ last: { kind: 'trial', state: 'failed', amount: '0' }, trial: { isLeft: true } })
  const failedId = await bought()
  expect(await selectTask(db, failedId)).toMatchObject({ state: 'making', money: 'held' })
  await stand(failedId, 'failed', 'late')
  expect(await info()).toMatchObject({ last: { kind: 'package', state: 'failed', amount: '4.99' } })
  expect([await money(), (await readBalance(db, user.userId)).held]).toEqual(['20', 0n])
  await stalled()
  await tried()
  const id = await bought()
  expect((await info()).last).toBeNull()
  await stand(id, 'ended', 'time_up')
  expect(await info()).toMatchObject({ kind: 'none', last: { kind: 'package', state: 'ended', amount: '4.99' } })
})

/** Keeps a user's packages from starting until the returned function is called. */
async function stall(userId: string): Promise<() => Promise<unknown>> {
  await db.owner.query(`create function stall() returns trigger language plpgsql as $$ begin raise exception 'a test stalls it'; end $$`)
  await db.owner.query(
    `create trigger stall before update on services_tasks for each row when (new.user_id = '${userId}' and new.state = 'using') execute function stall()`,
  )
  return () => db.owner.query('drop function stall cascade')
}

test('an account comes with a package, is made at the desk, and is made again free after a failure', async () => {
  expect((await post(`${ACCOUNT}/fastemail/apply`)).code).toBe(3763)
  await tried()
  expect((await get(`${ACCOUNT}/fastemail/available`)).data).toEqual({ allowed: 0, left: 0, isLive: true })
  expect((await post(`${ACCOUNT}/fastemail/apply`)).code).toBe(3765)
  await bought()
  const { data: asked } = await post(`${ACCOUNT}/fastemail/apply`)
  expect(asked).toMatchObject({ state: 'asked', address: '' })
  expect((await post(`${ACCOUNT}/reprocess`, { id: asked.id })).code).toBe(3766)
  await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id: asked.id, from: ['asked'], to: { to: 'failed', cause: 'not_made' } }))
  const { data: again } = await post(`${ACCOUNT}/reprocess`, { id: asked.id })
  await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id: again.id, from: ['asked'], to: { to: 'ready', facts: { address: 'wang@mail.example' } } }))
  expect((await get(`${ACCOUNT}/accountStatus`, { orderNo: again.id })).data).toMatchObject({ state: 'ready', address: 'wang@mail.example' })
  expect((await get(`${ACCOUNT}/latest`)).data.account.id).toBe(again.id)
  expect((await get(`${ACCOUNT}/listOverseaAccount`)).data.rowList).toHaveLength(2)
  expect((await post(`${ACCOUNT}/fastemail/apply`)).code).toBe(3765)
  const stranger = await aUser(deps)
  expect((await call('GET', `${ACCOUNT}/accountStatus`, { orderNo: again.id }, { token: stranger.token })).status).toBe(404)
})
