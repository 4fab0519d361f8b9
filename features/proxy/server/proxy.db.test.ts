import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { openView } from '#features/account/server/door.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { proxy } from './index.ts'
import { resolveProxyAddress } from './proxy-address.ts'
import { shareTunnels } from './data.ts'
import { proxyFreeUses } from './settings.ts'
import { anEcho, buildBasicAuth, waitForClose, sendEcho, listenFree, openSocks, openTunnel } from './testing/proxy-clients.ts'

const echo = anEcho()
const target = `127.0.0.1:${await listenFree(echo)}`
const db = await useTestDb({ max: 20 })
const { call, deps, waiting } = createTestApp({
  features: [proxy, services, payments, wallet, account, notices, risk, support],
  db,
  clock: createRunningClock(),
  env: { PROXY_PORT: '0', PROXY_HOST: '127.0.0.1', PROXY_TEST_TARGETS: target },
})
const PIN = '271828'
let stop: (() => Promise<void>) | void
let user: BuiltUser

beforeAll(async () => {
  stop = await proxy.start!(deps, new Set(['proxy']))
})
afterAll(async () => {
  await stop?.()
  echo.close()
})
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
})

const post = (path: string, body: object = {}, token = user.token) => call('POST', path, body, { token, idempotencyKey: createId('key') })
const get = (path: string, query: object = {}) => call('GET', path, query, { token: user.token })
const available = async () => (await get('/v1/tool/reward/proxy/available')).data.account
const money = async () => formatUsd((await readBalance(db, user.userId)).posted)
const port = () => resolveProxyAddress(deps).port
/** Orders and pays a use and has it delivered. */
async function applied(): Promise<string> {
  const { code, data } = await post('/v1/tool/reward/proxy/apply')
  expect(code).toBe(200)
  expect(data.pay).toMatchObject({ orderType: 5, amount: '0.49' })
  expect((await post('/v1/pay/balancePay', { orderType: 5, service: data.pay.service, payPassword: PIN })).code).toBe(200)
  await workTask(deps, data.task.id)
  return data.task.id
}
const enter = (live: { username: string; password: string }) => openTunnel(port(), target, buildBasicAuth(live.username, live.password))

test('an operator who views the account does not get the password', async () => {
  const view = { userId: user.userId, operatorId: 'op-1', reason: 'the balance looks wrong' }
  const { token } = await transact(db, SYSTEM, (tx) => openView(deps, tx, view))
  expect((await call('GET', '/v1/tool/reward/proxyStat', {}, { token })).code).toBe(200)
  expect((await call('GET', '/v1/tool/reward/proxy/available', {}, { token })).code).toBe(4032)
})

describe('a use of the proxy', () => {
  test('is paid from the balance, charged once, opens tunnels, shows its traffic and never where it went', async () => {
    const id = await applied()
    expect(await money()).toBe('9.51')
    const live = await available()
    expect(live).toMatchObject({ scheme: 'http', host: 'localhost', port: port(), exit: { id: 'direct' } })
    expect(live.remainingTime).toBeGreaterThan(1190)
    const { status, socket } = await enter(live)
    expect(status).toBe(200)
    await sendEcho(socket, 'hello')
    const other = await openSocks(port(), '127.0.0.1', { port: Number(target.split(':')[1]), username: live.username, password: live.password })
    expect(other.code).toBe(0)
    await waitForValue(async () => ((await available()).tunnels === 2 ? true : undefined), 'the meter')
    expect(await available()).toMatchObject({ upBytes: 5, downBytes: 5, refused: 0 })
    expect((await openTunnel(port(), '10.0.0.1:443', buildBasicAuth(live.username, live.password))).status).toBe(403)
    expect((await get('/v1/tool/reward/proxy/pageList')).data.rowList).toMatchObject([{ taskId: id, isLive: true }])
    const [{ kept }] = (await db.query<{ kept: string }>('select to_jsonb(u)::text as kept from proxy_uses u where user_id = $1', [user.userId])) as [
      { kept: string },
    ]
    expect(kept).not.toContain(live.password)
    expect(kept).not.toContain('10.0.0.1')
    socket.destroy()
    other.socket.destroy()
    expect(waiting()).toEqual([])
  })

  test('a new password restarts the clock, cuts what the old one opened and costs another use', async () => {
    const first = await applied()
    const old = await available()
    const { socket } = await enter(old)
    await db.owner.query(`update proxy_uses set expires_at = expires_at - interval '10 minutes' where ref = $1`, [first])
    const second = await applied()
    await waitForClose(socket)
    const live = await available()
    expect(live.username).toBe(old.username)
    expect(live.password).not.toBe(old.password)
    expect(live.remainingTime).toBeGreaterThan(1190)
    expect((await enter(old)).status).toBe(407)
    expect((await enter(live)).status).toBe(200)
    expect([await selectTask(db, first), await selectTask(db, second)]).toMatchObject([{ state: 'ended', cause: 'renewed' }, { state: 'using' }])
    expect(await money()).toBe('9.02')
  })

  test('at its end, or when its user ends it, tunnels are cut and its password opens nothing', async () => {
    const id = await applied()
    const live = await available()
    const one = await enter(live)
    await db.owner.query(`update proxy_uses set expires_at = clock_timestamp() where ref = $1`, [id])
    await waitForClose(one.socket)
    expect((await enter(live)).status).toBe(407)
    expect(await available()).toBeNull()
    await applied()
    const next = await available()
    const other = await enter(next)
    expect((await post('/v1/tool/reward/proxy/end')).code).toBe(200)
    await waitForClose(other.socket)
    expect((await enter(next)).status).toBe(407)
    expect((await post('/v1/tool/reward/proxy/end')).code).toBe(3753)
  })

  test('without a node does not begin or take money, and an earlier payment is released', async () => {
    const { data } = await post('/v1/tool/reward/proxy/apply')
    await db.owner.query(`update proxy_nodes set seen_at = seen_at - interval '1 hour'`)
    expect((await post('/v1/tool/reward/proxy/apply')).code).toBe(3751)
    const pay = () => post('/v1/pay/balancePay', { orderType: 5, service: data.pay.service, payPassword: PIN })
    expect([(await pay()).code, await money()]).toEqual([3703, '10'])
    await db.owner.query(`update proxy_nodes set seen_at = clock_timestamp()`)
    expect((await pay()).code).toBe(200)
    await db.owner.query(`update proxy_nodes set seen_at = seen_at - interval '1 hour'`)
    await db.owner.query(`update services_tasks set deadline_at = clock_timestamp() - interval '1 second' where id = $1`, [data.task.id])
    await workTask(deps, data.task.id)
    expect(await selectTask(db, data.task.id)).toMatchObject({ state: 'failed', cause: 'not_served', money: 'released' })
    expect(await money()).toBe('10')
    await db.owner.query(`update proxy_nodes set seen_at = clock_timestamp()`)
  })

  test('a free use costs nothing and begins at once; the settings file holds what is in use', async () => {
    expect((await post('/common/switchyOmega')).code).toBe(3753)
    await db.owner.query(`insert into settings (key, value, updated_by) values ($1, '1', 'test')`, [proxyFreeUses.key])
    const { data } = await post('/v1/tool/reward/proxy/apply')
    expect(data.pay).toBeNull()
    const live = await waitForValue(async () => (await available()) ?? undefined, 'the free use')
    expect((await get('/v1/tool/reward/proxyStat')).data).toMatchObject({ allowed: 1, used: 1, remainingCount: 0, price: '0.49', minutes: 20, isServed: true })
    const file = JSON.parse(String((await post('/common/switchyOmega')).data))
    expect(file['+mingxi']).toMatchObject({
      fallbackProxy: { scheme: 'http', host: 'localhost', port: port() },
      auth: { fallbackProxy: { username: live.username, password: live.password } },
    })
    expect((await post('/v1/tool/reward/proxy/apply', { exit: 'nowhere' })).code).toBe(3752)
    await db.owner.query('delete from settings where key = $1', [proxyFreeUses.key])
  })
})

describe('limits', () => {
  const TUNNELS = Number(process.env['TUNNELS'] ?? 10)
  const limit = (key: string, value: number) =>
    db.owner.query(`insert into settings (key, value, updated_by) values ($1,$2,'test') on conflict (key) do update set value = excluded.value`, [
      key,
      String(value),
    ])
  afterAll(() => db.owner.query(`delete from settings where key in ('proxy.tunnels', 'proxy.megabits')`))

  test('as many tunnels as an account may have carry bytes at once; one more is refused, and all end with the use', async () => {
    await limit('proxy.tunnels', TUNNELS)
    await limit('proxy.megabits', 1000)
    const id = await applied()
    const live = await available()
    const all = await Promise.all(Array.from({ length: TUNNELS }, () => enter(live)))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect((await enter(live)).status).toBe(429)
    const text = 'x'.repeat(10_000)
    await Promise.all(all.map(({ socket }) => sendEcho(socket, text)))
    await waitForValue(async () => ((await available()).downBytes === TUNNELS * text.length ? true : undefined), 'the meter')
    await db.owner.query(`update proxy_uses set expires_at = clock_timestamp() where ref = $1`, [id])
    await Promise.all(all.map(({ socket }) => waitForClose(socket)))
  })

  test('hold over all processes: what another one has open counts', async () => {
    await limit('proxy.tunnels', 3)
    await applied()
    const live = await available()
    const other = (tunnels: number) => shareTunnels(db, 'node_elsewhere', new Map([[live.id, tunnels]]))
    await other(2)
    const { status, socket } = await enter(live)
    expect(status).toBe(200)
    expect((await enter(live)).status).toBe(429)
    await waitForValue(async () => ((await other(2))[0]?.tunnels === 1n ? true : undefined), 'this process in the other one’s sum')
    await other(0)
    await waitForValue(async () => ((await enter(live)).status === 200 ? true : undefined), 'room again')
    socket.destroy()
    // A process that is gone holds no tunnels
    await other(3)
    await db.owner.query(`update proxy_shares set seen_at = seen_at - interval '1 minute' where node_id = 'node_elsewhere'`)
    await waitForValue(async () => ((await enter(live)).status === 200 ? true : undefined), 'room after the other one died')
  })
})

describe('the extension', () => {
  const link = (code: string, ip = '203.0.113.7') => call('POST', '/v1/tool/proxy/extension/link', { code, name: 'Chrome' }, { ip })
  const state = (token: string) => call('POST', '/v1/tool/proxy/extension/state', { token })

  test('a code signs in once; the token opens the account in use, and nothing once it was signed out', async () => {
    const { code } = (await post('/v1/tool/proxy/extension/code')).data
    const { token } = (await link(code.toLowerCase())).data
    expect((await link(code)).code).toBe(3754)
    expect((await state(token)).data.account).toBeNull()
    await applied()
    expect((await state(token)).data.account).toMatchObject({ password: (await available()).password })
    const [row] = (await get('/v1/tool/proxy/extension/list')).data.rowList
    const stranger = await aUser(deps)
    expect((await post('/v1/tool/proxy/extension/remove', { id: row.id }, stranger.token)).status).toBe(404)
    expect((await post('/v1/tool/proxy/extension/remove', { id: row.id })).code).toBe(200)
    expect((await state(token)).code).toBe(3755)
  })

  test('a second code voids the first, an old one is void, and guessing is cut off soon', async () => {
    const first = (await post('/v1/tool/proxy/extension/code')).data.code
    const second = (await post('/v1/tool/proxy/extension/code')).data.code
    expect((await link(first)).code).toBe(3754)
    await db.owner.query(`update proxy_codes set expires_at = clock_timestamp() where user_id = $1`, [user.userId])
    expect((await link(second)).code).toBe(3754)
    for (let i = 0; i < 18; i++) await link('00000000', '198.51.100.9')
    for (let i = 0; i < 2; i++) expect((await link('00000000', '198.51.100.9')).code).toBe(3754)
    expect((await link('00000000', '198.51.100.9')).status).toBe(429)
  })
})
