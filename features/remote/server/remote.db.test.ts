import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { anEcho, buildBasicAuth, waitForClose, listenFree, openTunnel } from '#features/proxy/server/testing/proxy-clients.ts'
import { resolveProxyAddress } from '#features/proxy/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import type { RemoteServerMessage } from '../wire.ts'
import { aRemoteNode } from './builders.ts'
import { remote } from './index.ts'
import { claimRemoteSession, handlePageMessage, detachViewer, moveSessionTask, handleBrowserExit, attachViewer } from './node/session.ts'
import type { SessionViewer, RemoteBrowserSession } from './node/session.ts'
import { remoteIncluded } from './settings.ts'
import { remoteService } from './spec.ts'

const echo = anEcho()
const target = `127.0.0.1:${await listenFree(echo)}`
const db = await useTestDb({ max: 20 })
const features = [remote, proxy, services, payments, wallet, account, notices, risk, support, cards, identity]
const { call, deps, settle } = createTestApp({
  features,
  db,
  clock: createRunningClock(),
  env: { PROXY_PORT: '0', PROXY_HOST: '127.0.0.1', PROXY_TEST_TARGETS: target },
})
const PIN = '271828'
let stop: (() => Promise<void>) | void
let user: BuiltUser
let node: string

const include = (standard: number) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ($1,$2,'test') on conflict (key) do update set value = excluded.value`, [
    remoteIncluded.key,
    JSON.stringify({ standard, pro: standard }),
  ])

beforeAll(async () => {
  await remote.start!(deps, new Set(['api']))
  stop = await proxy.start!(deps, new Set(['proxy']))
  node = await aRemoteNode(db)
  await include(0)
})
afterAll(async () => {
  await stop?.()
  echo.close()
  expect((await verifyLedger(db)).problems).toEqual([])
})
beforeEach(async () => {
  user = await aMember()
})

async function aMember(): Promise<BuiltUser> {
  const member = await aUser(deps)
  await aPayPassword(deps, member.userId, PIN)
  await aFundedUser(db, { userId: member.userId, purchased: 10n * NANO_PER_USD })
  await anActiveCard(deps, { userId: member.userId })
  return member
}
const post = (path: string, body: object = {}, by = user) => call('POST', path, body, { token: by.token, idempotencyKey: createId('key') })
const get = (path: string, query: object = {}, by = user) => call('GET', path, query, { token: by.token })
const session = async (by = user) => (await get('/user/getKasm', {}, by)).data.session
const count = async () => (await get('/reward/kasm/count')).data
const money = async (by = user) => {
  const { posted, held } = await readBalance(db, by.userId)
  return [formatUsd(posted), formatUsd(held)]
}
const pay = (service: string, by = user) => post('/v1/pay/balancePay', { orderType: 3, service, payPassword: PIN }, by)
/** Orders and pays a session, which then waits for a place. */
async function queued(by = user): Promise<string> {
  const { code, data } = await post('/reward/kasm/apply', {}, by)
  expect(code).toBe(200)
  expect(data.pay).toMatchObject({ orderType: 3, amount: '1' })
  expect((await pay(data.pay.service, by)).code).toBe(200)
  return data.task.id
}
const task = async (id: string) => (await selectTask(db, id))!

interface Seat {
  readonly session: RemoteBrowserSession
  readonly looker: SessionViewer
  readonly told: RemoteServerMessage[]
  readonly wished: string[]
}
/** A session whose browser is a fake; records the messages to and from its page. */
async function seated(id: string): Promise<Seat & { readonly credentials: { username: string; password: string } }> {
  const credentials = (await claimRemoteSession(deps, node, await task(id)))!
  const [told, wished]: [RemoteServerMessage[], string[]] = [[], []]
  const seat: RemoteBrowserSession = {
    taskId: id,
    userId: user.userId,
    slot: 0,
    given: 0,
    browser: { wish: async (wish) => void wished.push(wish.do), show: async () => undefined, close: async () => undefined },
  }
  expect(await moveSessionTask(deps, seat, { from: ['starting'], to: { to: 'ready' } })).toBe(true)
  const looker: SessionViewer = {
    tell: (message) => void told.push(message),
    picture: () => undefined,
    leave: (reason) => void told.push({ tell: 'over', reason }),
  }
  return { session: seat, looker, told, wished, credentials }
}
/** Shows the session's first picture. */
async function inUse(id: string): Promise<Awaited<ReturnType<typeof seated>>> {
  const seat = await seated(id)
  await attachViewer(deps, seat.session, seat.looker)
  await handlePageMessage(deps, seat.session, { do: 'drawn' })
  return seat
}

describe('an order', () => {
  test('needs a card, a machine and no running session, and begins nothing otherwise', async () => {
    const stranger = await aUser(deps)
    expect((await post('/reward/kasm/apply', {}, stranger)).code).toBe(3801)
    await aRemoteNode(db, { refusal: 'there is no Chromium on this machine' })
    expect(await count()).toMatchObject({ hasCard: true, isOffered: false })
    expect((await post('/reward/kasm/apply')).code).toBe(3802)
    await aRemoteNode(db)
    expect(await count()).toMatchObject({
      isOffered: true,
      price: '1',
      minutes: 20,
      place: expect.any(String),
      files: { most: 20, megabytes: 20 },
      included: { standard: 0, pro: 0 },
    })
    // Many rows of crashed nodes change nothing
    await db.owner.query(`insert into remote_nodes (id, places, seen_at) select 'gone_' || n, 2, now() - interval '1 hour' from generate_series(1, 200) n`)
    expect(await count()).toMatchObject({ isOffered: true })
    await queued()
    expect((await post('/reward/kasm/apply')).code).toBe(3803)
    expect((await post('/reward/kasm/apply', { more: true })).code).toBe(3804)
  })

  test('priced twice and paid at once begins once, and the other payment is refused', async () => {
    const both = await Promise.all([post('/reward/kasm/apply'), post('/reward/kasm/apply')])
    const paid = await Promise.all(both.map(({ data }) => pay(data.pay.service)))
    expect(paid.map(({ code }) => code).toSorted()).toEqual([200, 3803])
    expect(await money()).toEqual(['10', '1'])
  })

  test('waits with its place in the queue, and costs nothing when given up', async () => {
    const other = await aMember()
    const first = await queued(other)
    const second = await queued()
    expect(await session(other)).toMatchObject({ id: first, state: 'queued', amount: '1' })
    const mine = await session()
    expect(mine).toMatchObject({ id: second, state: 'queued', engine: 'canvas' })
    expect(mine.ahead).toBeGreaterThanOrEqual(1)
    await aRemoteNode(db, { refusal: 'there is no Chromium on this machine' })
    expect(await remoteService.seen!(deps, await task(second))).toMatchObject({ refusal: expect.stringContaining('there is no Chromium') })
    await aRemoteNode(db)
    expect((await get('/reward/kasm/getUrl')).data).toEqual({ url: null, state: 'queued' })
    expect((await post('/reward/kasm/open')).code).toBe(3805)
    expect((await post('/reward/kasm/end')).code).toBe(200)
    expect(await task(second)).toMatchObject({ state: 'failed', cause: 'given_up', money: 'released' })
    expect(await money()).toEqual(['10', '0'])
    expect(await session()).toBeNull()
  })
})

describe('a session', () => {
  test('is charged once, when its user has seen the first picture; earlier input is dropped', async () => {
    const id = await queued()
    const seat = await seated(id)
    expect((await get('/reward/kasm/getUrl')).data.state).toBe('ready')
    await attachViewer(deps, seat.session, seat.looker)
    await handlePageMessage(deps, seat.session, { do: 'text', text: 'secret' })
    expect([seat.wished, await money()]).toEqual([[], ['10', '1']])
    await Promise.all([handlePageMessage(deps, seat.session, { do: 'drawn' }), handlePageMessage(deps, seat.session, { do: 'drawn' })])
    await handlePageMessage(deps, seat.session, { do: 'text', text: 'secret' })
    expect(seat.wished).toEqual(['drawn', 'drawn', 'text'])
    expect(await money()).toEqual(['9', '0'])
    expect(seat.told.filter(({ tell }) => tell === 'until')).toHaveLength(1)
    const { expiresTime, startedTime, canExtend } = await session()
    expect(Math.round((Date.parse(expiresTime) - Date.parse(startedTime)) / 60_000)).toBe(20)
    expect(canExtend).toBe(true)
    expect((await post('/reward/kasm/end')).code).toBe(200)
    expect(await task(id)).toMatchObject({ state: 'ended', cause: 'stopped', charged: NANO_PER_USD, returned: 0n })
    expect(await money()).toEqual(['9', '0'])
    const [kept] = await db.query<{ text: string }>(`select string_agg(t::text, ' ') as text from services_tasks t where user_id = $1`, [user.userId])
    expect(kept!.text).not.toContain('secret')
  })

  test('opens with a ticket for its owner only', async () => {
    const id = await queued()
    await seated(id)
    const { data } = await post('/reward/kasm/open')
    expect(data).toMatchObject({ engine: 'canvas', url: '' })
    expect(data.ticket).toMatch(/^[\w-]+\.[\w-]+$/)
    expect((await post('/reward/kasm/open', {}, await aMember())).code).toBe(3804)
  })

  test('takes a free use of the card, which comes back if it was never shown or broke early', async () => {
    await include(2)
    const free = (await post('/reward/kasm/apply')).data
    expect(free.pay).toBeNull()
    expect(await count()).toMatchObject({ allowed: 2, used: 1, remainingCount: 1, remainingMinutes: 20 })
    await post('/reward/kasm/end')
    expect(await count()).toMatchObject({ used: 0, remainingCount: 2 })
    for (const [minutes, cause, free] of [
      [11, 'broke_early', 'back'],
      [9, 'broke_late', 'taken'],
    ] as const) {
      const { task: again } = (await post('/reward/kasm/apply')).data
      const { session: seat } = await inUse(again.id)
      await db.owner.query(`update services_tasks set expires_at = clock_timestamp() + make_interval(mins => $2) where id = $1`, [again.id, minutes])
      await handleBrowserExit(deps, seat)
      expect(await task(again.id)).toMatchObject({ cause, free })
    }
    expect(await count()).toMatchObject({ used: 1 })
    expect(await money()).toEqual(['10', '0'])
    await include(0)
  })

  test('grows by its extensions up to the maximum; one paid after its end is not charged', async () => {
    const id = await queued()
    await inUse(id)
    const more = async () => (await post('/reward/kasm/apply', { more: true })).data
    const added = async () => {
      const { startedTime, expiresTime } = await session()
      return Math.round((Date.parse(expiresTime) - Date.parse(startedTime)) / 60_000)
    }
    const [one, two, three, four] = [await more(), await more(), await more(), await more()]
    await Promise.all([one, two].map(({ pay: { service } }) => pay(service)))
    await Promise.all([one, two].map(({ task: { id: added } }) => workTask(deps, added)))
    // The extension that lost the race is retried
    for (const { task: both } of [one, two]) await workTask(deps, both.id)
    expect(await added()).toBe(60)
    expect(await money()).toEqual(['7', '0'])
    // Ordered while a place was free, paid when none is
    await pay(three.pay.service)
    await workTask(deps, three.task.id)
    expect(await task(three.task.id)).toMatchObject({ state: 'failed', cause: 'too_long', money: 'released' })
    expect(await added()).toBe(60)
    await post('/reward/kasm/end')
    await pay(four.pay.service)
    await workTask(deps, four.task.id)
    expect(await task(four.task.id)).toMatchObject({ state: 'failed', cause: 'ended_before', money: 'released' })
    expect(await money()).toEqual(['7', '0'])
  })

  test('that was charged without a reply lets its user in at the next drawn picture', async () => {
    const seat = await seated(await queued())
    await attachViewer(deps, seat.session, seat.looker)
    const until = new Date(Date.now() + 20 * 60_000)
    await moveSessionTask(deps, seat.session, { from: ['ready'], to: { to: 'using', expiresAt: until } })
    await handlePageMessage(deps, seat.session, { do: 'drawn' })
    await handlePageMessage(deps, seat.session, { do: 'text', text: 'in' })
    expect([seat.session.until, seat.wished, await money()]).toEqual([until, ['drawn', 'text'], ['9', '0']])
  })

  test('is extended up to the maximum, and not a second beyond it', async () => {
    const id = await queued()
    await inUse(id)
    await db.owner.query(`update services_tasks set expires_at = delivered_at + interval '40 minutes' where id = $1`, [id])
    expect((await session()).canExtend).toBe(true)
    expect((await post('/reward/kasm/apply', { more: true })).code).toBe(200)
    await db.owner.query(`update services_tasks set expires_at = delivered_at + interval '40 minutes 1 second' where id = $1`, [id])
    expect((await post('/reward/kasm/apply', { more: true })).code).toBe(3806)
    expect((await session()).canExtend).toBe(false)
  })

  test('gives the time of a broken connection back, once, up to the grace', async () => {
    const { session: seat, looker, told } = await inUse(await queued())
    const until = seat.until!.getTime()
    detachViewer(seat, looker)
    seat.lostAt = Date.now() - 70_000
    await attachViewer(deps, seat, looker)
    expect(seat.until!.getTime() - until).toBe(70_000)
    detachViewer(seat, looker)
    seat.lostAt = Date.now() - 900_000
    await attachViewer(deps, seat, looker)
    expect(seat.until!.getTime() - until).toBe(180_000)
    expect(told.filter(({ tell }) => tell === 'until')).toHaveLength(3)
    // Another page takes over: the first one is notified
    await attachViewer(deps, seat, { ...looker })
    expect(told.at(-2)).toEqual({ tell: 'over', reason: 'replaced' })
  })
})

describe('the end of a session', () => {
  test('by a dead machine returns everything; by a browser that quit, the unused minutes', async () => {
    const lost = await queued()
    await inUse(lost)
    await aRemoteNode(db, { minutes: -1 })
    await workTask(deps, lost)
    expect(await task(lost)).toMatchObject({ state: 'failed', cause: 'lost', money: 'charged', returned: NANO_PER_USD })
    expect(await money()).toEqual(['10', '0'])
    await aRemoteNode(db)
    const broke = await queued()
    const { session: seat } = await inUse(broke)
    await db.owner.query(`update services_tasks set expires_at = clock_timestamp() + interval '4 minutes 30 seconds' where id = $1`, [broke])
    await handleBrowserExit(deps, seat)
    expect(await task(broke)).toMatchObject({ cause: 'broke', returned: 250_000_000n })
    expect(await money()).toEqual(['9.25', '0'])
  })

  test('by a dead machine before the first picture costs nothing', async () => {
    const [one, other] = [await queued(), await aMember()]
    await claimRemoteSession(deps, node, await task(one))
    const two = await queued(other)
    await seated(two)
    await aRemoteNode(db, { minutes: -1 })
    for (const id of [one, two]) {
      await workTask(deps, id)
      expect(await task(id)).toMatchObject({ state: 'failed', cause: 'not_started', money: 'released' })
    }
    expect([await money(), await money(other)]).toEqual([
      ['10', '0'],
      ['10', '0'],
    ])
    await aRemoteNode(db)
  })

  test('T7: a session that waits in any state ends on time, with its money settled and its proxy closed', async () => {
    const PLANTED = Number(process.env['PLANTED'] ?? 1)
    const ends = { queued: ['no_place', '10'], starting: ['not_started', '10'], ready: ['nobody_came', '10'], using: ['time_up', '9'] } as const
    const planted: { id: string; by: BuiltUser; state: keyof typeof ends }[] = []
    for (const state of Object.keys(ends) as (keyof typeof ends)[])
      for (let n = 0; n < PLANTED; n++) {
        user = await aMember()
        const id = await queued()
        if (state === 'starting') await claimRemoteSession(deps, node, await task(id))
        if (state === 'ready') await seated(id)
        if (state === 'using') await inUse(id)
        planted.push({ id, by: user, state })
      }
    await db.owner.query(
      `update services_tasks set deadline_at = case when phase = 'waiting' then clock_timestamp() end, expires_at = case when phase = 'using' then clock_timestamp() end,
        next_check_at = clock_timestamp() where id = any($1)`,
      [planted.map(({ id }) => id)],
    )
    for (const { id } of planted) await workTask(deps, id)
    for (const { id, by, state } of planted) {
      const [cause, left] = ends[state]
      expect(await task(id)).toMatchObject({ cause })
      expect([state, await money(by)]).toEqual([state, [left, '0']])
    }
    await settle()
    const ways = await db.query('select 1 from proxy_uses where ref = any($1) and ended_at is null', [planted.map(({ id }) => id)])
    expect(ways).toEqual([])
  })
})

test('a remote browser reaches the web alone: not this machine, not its ports, not a private network, and nothing after its end', async () => {
  const id = await queued()
  const { credentials } = await inUse(id)
  const { port } = resolveProxyAddress(deps)
  const to = async (where: string) => openTunnel(port, where, buildBasicAuth(credentials.username, credentials.password))
  const platform = new URL(db.url).port || '5432'
  for (const inner of [`127.0.0.1:${port}`, `127.0.0.1:${platform}`, 'localhost:443', '10.0.0.1:443', '169.254.169.254:80', '[::1]:443', '192.168.1.1:80'])
    expect([inner, (await to(inner)).status]).toEqual([inner, expect.toSatisfy((status: number) => status === 403 || status === 502)])
  const open = await to(target)
  expect(open.status).toBe(200)
  // Operators see why tunnels were refused, and never their targets
  const noted = async () => remoteService.seen!(deps, await task(id))
  const seen = await waitForValue(
    async () => noted().then((all) => (Number(all['refused_address'] ?? 0) >= 4 && all['tunnels'] === '1' ? all : undefined)),
    'the meter',
  )
  expect(seen).toMatchObject({ node, exit: 'direct', tunnels: '1' })
  expect(JSON.stringify(seen)).not.toContain('169.254')
  await post('/reward/kasm/end')
  await settle()
  await waitForClose(open.socket)
  expect((await to(target)).status).toBe(407)
})
