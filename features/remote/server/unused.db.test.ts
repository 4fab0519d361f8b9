import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask, selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { resolveBrokenSession } from './unused.ts'
import { aRemoteNode } from './builders.ts'
import { remote } from './index.ts'
import { claimRemoteSession } from './node/session.ts'
import { remoteIncluded, remoteUnused } from './settings.ts'

// Users who leave browsers unused keep them from others and pay nothing: allowed a few times a day.
const db = await useTestDb({ max: 20 })
const features = [remote, proxy, services, payments, wallet, account, notices, risk, support, cards, identity]
const { call, deps } = createTestApp({ features, db, clock: createRunningClock() })
const PIN = '271828'
const MOST = 2
const set = (key: string, value: unknown) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test') on conflict (key) do update set value = excluded.value`, [
    key,
    JSON.stringify(value),
  ])
let user: BuiltUser
let node: string

beforeAll(async () => {
  await remote.start!(deps, new Set(['api']))
  node = await aRemoteNode(db, { places: 30 })
  await set(remoteUnused.key, MOST)
  await set(remoteIncluded.key, { standard: 0, pro: 0 })
})
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 30n * NANO_PER_USD })
  await anActiveCard(deps, { userId: user.userId })
})
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const pay = (service: string) => post('/v1/pay/balancePay', { orderType: 3, service, payPassword: PIN })
const count = async () => (await call('GET', '/reward/kasm/count', {}, { token: user.token })).data
const held = async () => formatUsd((await readBalance(db, user.userId)).held)
async function queued(): Promise<string> {
  const { data } = await post('/reward/kasm/apply')
  expect((await pay(data.pay.service)).code).toBe(200)
  return data.task.id
}
/** Starts a browser that waits for its user. */
async function ready(): Promise<string> {
  const id = await queued()
  await claimRemoteSession(deps, node, (await selectTask(db, id))!)
  await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['starting'], to: { to: 'ready' } }))
  return id
}
async function leaveUnopened(): Promise<void> {
  const id = await ready()
  await db.owner.query('update services_tasks set deadline_at = clock_timestamp() where id = $1', [id])
  await workTask(deps, id)
  expect(await selectTask(db, id)).toMatchObject({ cause: 'nobody_came', money: 'released' })
}
const dayLater = () => db.owner.query(`update services_tasks set finished_at = finished_at - interval '24 hours' where user_id = $1`, [user.userId])

test('unused browsers are limited per day; the next is refused, with its time, until the oldest is a day old', async () => {
  await leaveUnopened()
  expect(await count()).toMatchObject({ tooOften: null })
  await ready()
  expect((await post('/reward/kasm/end')).code).toBe(200)
  expect(await post('/reward/kasm/apply')).toMatchObject({ code: 3784, msg: expect.stringContaining(String(MOST)) })
  const { tooOften } = await count()
  expect(tooOften.most).toBe(MOST)
  expect(Date.parse(tooOften.againTime)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  expect(await held()).toBe('0')
  await dayLater()
  expect(await count()).toMatchObject({ tooOften: null })
  await queued()
})

test('sessions that only queued, or were used, do not count as unused', async () => {
  for (let n = 0; n <= MOST; n++) {
    await queued()
    await post('/reward/kasm/end')
  }
  for (let n = 0; n <= MOST; n++) {
    const id = await ready()
    await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['ready'], to: { to: 'using', expiresAt: new Date(Date.now() + 60_000) } }))
    await post('/reward/kasm/end')
  }
  expect(await count()).toMatchObject({ tooOften: null })
})

test('orders priced beforehand and paid six at once, one after another, hold no more places than the limit', async () => {
  const drafts: string[] = []
  for (let n = 0; n < 6; n++) drafts.push((await post('/reward/kasm/apply')).data.pay.service)
  for (let turn = 0; turn <= MOST; turn++) {
    const replies = await Promise.all(drafts.map(pay))
    const paid = replies.findIndex(({ code }) => code === 200)
    if (paid < 0) expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([3784]))
    else {
      const [id] = drafts.splice(paid, 1)
      await claimRemoteSession(deps, node, (await selectTask(db, id!))!)
      expect((await post('/reward/kasm/end')).code).toBe(200)
    }
  }
  const stood = await db.query('select 1 from services_tasks where user_id = $1 and supplier_ref is not null', [user.userId])
  expect([stood.length, await held()]).toEqual([MOST, '0'])
})

async function used(): Promise<string> {
  const id = await ready()
  await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['ready'], to: { to: 'using', expiresAt: new Date(Date.now() + 20 * 60_000) } }))
  return id
}
const end = async (id: string, cause: 'lost' | 'broke') => {
  const to = cause === 'lost' ? { to: 'failed', cause } : await resolveBrokenSession(deps, (await selectTask(db, id))!)
  const task = await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['using'], to }))
  expect(task).toMatchObject({ state: 'failed', cause })
}

test('a user whose browsers quit again and again begins no more for a day', async () => {
  for (let n = 0; n < MOST; n++) await end(await used(), 'broke')
  expect((await post('/reward/kasm/apply')).code).toBe(3784)
})

test.each([
  ['lost', 50, [0, 0, 0]],
  ['broke', 50, [0, 0, 0.5]],
  ['broke', 15, [0.25, 1, 1]],
] as const)('%s with %i minutes left of three uses: unused extensions are given back too', async (cause, left, costs) => {
  const id = await used()
  const added: string[] = []
  for (let n = 0; n < 2; n++) {
    const { task: more, pay: due } = (await post('/reward/kasm/apply', { more: true })).data
    expect((await pay(due.service)).code).toBe(200)
    await workTask(deps, more.id)
    added.unshift(more.id)
  }
  expect(formatUsd((await readBalance(db, user.userId)).posted)).toBe('27')
  await db.owner.query(`update services_tasks set expires_at = clock_timestamp() + make_interval(mins => $2) where id = $1`, [id, left])
  await end(id, cause)
  const net = async (one: string) => selectTask(db, one).then((task) => Number(task!.charged - task!.returned) / Number(NANO_PER_USD))
  expect(await Promise.all([...added, id].map(net))).toEqual(costs)
  expect(formatUsd((await readBalance(db, user.userId)).posted)).toBe(String(30 - costs.reduce((sum: number, cost) => sum + cost, 0)))
})

test('a free extension that was not used comes back', async () => {
  const id = await used()
  await set(remoteIncluded.key, { standard: 1, pro: 1 })
  const { task: more } = (await post('/reward/kasm/apply', { more: true })).data
  await workTask(deps, more.id)
  await end(id, 'broke')
  expect([await selectTask(db, more.id), await count()]).toMatchObject([{ state: 'joined', free: 'back' }, { remainingCount: 1 }])
  await set(remoteIncluded.key, { standard: 0, pro: 0 })
})
