import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_CENT, NANO_PER_USD, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { anOpenOrder, aPaidRechargeOrder, payOpenOrder } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readPostedBalance, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { beginTask, moveTask, sellService, selectTask } from './door.ts'
import type { Task } from './door.ts'
import { services } from './index.ts'
import { findSpecProblems } from './kit/registry.ts'
import { computeDeskHours } from './kit/open.ts'
import { pausedServices } from './kit/settings.ts'
import { workTask, workTasks } from './kit/work.ts'
import { createBookSupplier, createExampleService, FREE, REFUSES } from './testing/example.ts'

const db = await useTestDb({ max: 30 })
let url = ''
const features = [services, payments, wallet, account, notices, risk, support]
const clock = createRunningClock()
const { app, call, deps, settle } = createTestApp({ features, db, clock, overrides: { publicUrl: () => url } })
const desk = createTestApp({ features: [...features, createBackoffice(features)], db, clock, surface: 'operators' })
// The sandbox's channel is called over HTTP
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => Promise.all([app.close(), desk.app.close()]))
const supplier = createBookSupplier()
const spec = createExampleService(supplier)
const PIN = '271828'
let user: BuiltUser

beforeAll(() => sellService(deps, spec))
beforeEach(async () => {
  supplier.things.clear()
  supplier.faults.length = 0
  FREE.uses = 0
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
})

const begin = (product = 'one', who = user) =>
  transact(db, { kind: 'user', id: who.userId }, (tx) => beginTask(deps, tx, { service: 'example', userId: who.userId, product }))
const pay = (service: string, who = user) =>
  call('POST', '/v1/pay/balancePay', { orderType: 8, service, payPassword: PIN }, { token: who.token, idempotencyKey: createId('key') })
const task = async (id: string): Promise<Task> => (await selectTask(db, id))!
const money = async () => {
  const { posted, available } = await readBalance(db, user.userId)
  return [formatUsd(posted), formatUsd(available)]
}
const orderOf = async (id: string) =>
  (await call('GET', '/v1/pay/orderDetail', { orderNo: (await task(id)).orderNo! }, { token: user.token })).data.order as { state: string; refunded: string }
/** Moves one of a task's times an hour into the past. */
const pass = (id: string, what: 'deadline_at' | 'expires_at' | 'entered_at' | 'next_check_at') =>
  db.owner.query(`update services_tasks set ${what} = clock_timestamp() - interval '1 hour' where id = $1`, [id])
const begun = async (product = 'one') => {
  const { task: draft, pay: wanted } = await begin(product)
  expect(wanted).toMatchObject({ orderType: 8, service: draft.id })
  expect((await pay(draft.id)).code).toBe(200)
  return draft.id
}
const booksHold = async () => expect((await verifyLedger(db)).problems).toEqual([])

describe('money', () => {
  test('a payment is held, and charged once at delivery, however often the task is worked', async () => {
    const id = await begun()
    expect(await money()).toEqual(['10', '7'])
    expect((await orderOf(id)).state).toBe('paid')
    await Promise.all([workTask(deps, id), workTask(deps, id), workTask(deps, id)])
    expect(await task(id)).toMatchObject({ state: 'using', money: 'charged', charged: parseUsd('3'), supplier: 'book', supplierRef: 'thing-1' })
    expect(await money()).toEqual(['7', '7'])
    expect((await orderOf(id)).state).toBe('fulfilled')
    await pass(id, 'expires_at')
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'ended', phase: 'done', cause: 'time_up', atSupplier: false })
    expect(supplier.live()).toBe(0)
    expect(await money()).toEqual(['7', '7'])
    await booksHold()
  })

  test('an undelivered service costs nothing, and the order says so', async () => {
    supplier.faults.push('refused')
    const id = await begun()
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'failed', cause: 'sold_out', money: 'released', charged: 0n })
    expect(await money()).toEqual(['10', '10'])
    expect(await orderOf(id)).toMatchObject({ state: 'refunded', refunded: '3' })
    await booksHold()
  })

  test('a channel’s payment enters the balance first and stays there after a failure, and the order says so', async () => {
    const { task: draft } = await begin()
    const order = await aPaidRechargeOrder(deps, { userId: user.userId, orderType: 8, service: draft.id })
    expect(await money()).toEqual(['13', '10'])
    supplier.faults.push('refused')
    await workTask(deps, draft.id)
    expect(await money()).toEqual(['13', '13'])
    expect(await orderOf(draft.id)).toMatchObject({ state: 'refunded', refunded: '3' })
    expect(order.orderNo).toBe((await task(draft.id)).orderNo)
    await booksHold()
  })

  test('a channel’s payment for a begun service stays in the balance, and nothing begins twice', async () => {
    const { task: draft } = await begin()
    const opened = await anOpenOrder(deps, { userId: user.userId, orderType: 8, service: draft.id })
    expect((await pay(draft.id)).code).toBe(200)
    const order = await payOpenOrder(deps, opened)
    expect(await money()).toEqual(['13', '10'])
    expect((await task(draft.id)).orderNo).not.toBe(order.orderNo)
    expect((await pay(draft.id)).code).toBe(3706)
    await settle()
    expect((await listSandboxMails(db, user.email))[0]!.subject).toContain('服务没有开始')
  })

  test('a channel’s payment for a service that cannot begin: the mail gives the service’s own reason', async () => {
    const { task: draft } = await begin()
    const opened = await anOpenOrder(deps, { userId: user.userId, orderType: 8, service: draft.id })
    REFUSES.place = 'Tokyo'
    await payOpenOrder(deps, opened)
    REFUSES.place = ''
    expect(await money()).toEqual(['13', '13'])
    await settle()
    const { text } = (await listSandboxMails(db, user.email))[0]!
    expect(text).toContain('No place in Tokyo')
    expect(text).not.toContain('EXAMPLE_FULL')
  })

  test('the cause of a failure decides how much of the charge is returned', async () => {
    const id = await begun()
    await workTask(deps, id)
    await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['using'], to: { to: 'failed', cause: 'half', back: parseUsd('1.5') } }))
    expect(await task(id)).toMatchObject({ charged: parseUsd('3'), returned: parseUsd('1.5') })
    expect(await money()).toEqual(['8.5', '8.5'])
    expect(await orderOf(id)).toMatchObject({ state: 'partially_refunded', refunded: '1.5' })
    const kept = await begun()
    await workTask(deps, kept)
    await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id: kept, from: ['using'], to: { to: 'failed', cause: 'customer' } }))
    expect(await money()).toEqual(['5.5', '5.5'])
    await booksHold()
  })

  test('a balance too low begins nothing and holds nothing', async () => {
    const { task: draft } = await begin('desk')
    expect((await pay(draft.id)).data).toMatchObject({ missing: '10' })
    expect(await task(draft.id)).toMatchObject({ state: 'draft', money: 'none' })
    expect(await money()).toEqual(['10', '10'])
  })

  test('a draft is paid once under concurrent payments', async () => {
    const { task: draft } = await begin()
    const codes = (await Promise.all([pay(draft.id), pay(draft.id), pay(draft.id)])).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([200, 3706, 3706])
    expect(await money()).toEqual(['10', '7'])
  })
})

describe('an operator’s decision', () => {
  const PRICE = parseUsd('12.345678901')
  const GRANTED = parseUsd('5.000000003')
  let operator: BuiltOperator
  beforeAll(async () => {
    operator = await anOperator(desk.deps, ['serviceDesk', 'finance'])
  })
  /** Runs a command like the desk's pages: preview, then the request with the preview's hash. */
  async function run(name: string, input: object) {
    const { token } = operator
    const { data } = await desk.call('POST', `/operator/do/${name}/preview`, input, { token })
    const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'customerAsked', reason: 'a reason of some length' }
    return desk.call('POST', `/operator/do/${name}`, asking, { token, idempotencyKey: createId('key') })
  }
  const readFunds = async () => {
    const { posted, held, purchasedUnspent, grantedUnspent } = await readBalance(db, user.userId)
    return { posted, held, purchasedUnspent, grantedUnspent, revenue: await readPostedBalance(db, systemAccount('revenue')) }
  }
  const DELIVERED = { state: 'using', facts: { account: 'wang' } }
  const KEPT = { state: 'failed', cause: 'customer' }
  test.each([
    { decision: 'all back', end: { state: 'failed', cause: 'sold_out' }, returns: [], kept: 0n, order: 'refunded' },
    { decision: 'the unused part back, before delivery', end: { state: 'failed', cause: 'half' }, returns: [], kept: 0n, order: 'refunded' },
    { decision: 'all back, after delivery', end: DELIVERED, returns: [{}], kept: 0n, order: 'refunded' },
    { decision: 'part back', end: DELIVERED, returns: [{ amount: '4.56' }], kept: parseUsd('7.785678901'), order: 'partially_refunded' },
    {
      decision: 'part back, in two parts',
      end: KEPT,
      returns: [{ amount: '4.56' }, { amount: '7.78' }],
      kept: parseUsd('0.005678901'),
      order: 'partially_refunded',
    },
    { decision: 'nothing back', end: KEPT, returns: [], kept: PRICE, order: 'fulfilled' },
  ])('$decision: balance and revenue equal it to the nano-dollar', async ({ end, returns, kept, order }) => {
    await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD, granted: GRANTED })
    const before = await readFunds()
    const wanted = { service: 'example', userId: user.userId, product: 'desk', price: PRICE }
    const { task: draft } = await transact(db, { kind: 'user', id: user.userId }, (tx) => beginTask(deps, tx, wanted))
    const { id } = draft
    expect((await pay(id)).code).toBe(200)
    await workTask(deps, id)
    expect((await run('service.take', { id })).data).toMatchObject({ state: 'done' })
    const { causes } = (await desk.call('GET', '/operator/services/task', { id }, { token: operator.token })).data
    expect(causes).toContainEqual({ cause: 'half', name: 'Half of it', money: 'back' })
    expect((await run('service.finish', { id, ...end })).data).toMatchObject({ state: 'done' })
    for (const part of returns) expect((await run('service.return', { id, ...part })).data).toMatchObject({ state: 'done' })
    const after = await readFunds()
    expect([before.posted - after.posted, after.held, after.revenue - before.revenue]).toEqual([kept, 0n, kept])
    const { charged, returned } = await task(id)
    expect(charged - returned).toBe(kept)
    expect(await orderOf(id)).toMatchObject({ state: order, refunded: formatUsd(PRICE - kept) })
    if (kept === 0n) expect(after).toEqual(before)
    // The next whole cent above the rest is refused
    const more = formatUsd((kept / NANO_PER_CENT + 1n) * NANO_PER_CENT)
    expect((await run('service.return', { id, amount: more })).code).toBe(3115)
    expect(await readFunds()).toEqual(after)
    await booksHold()
  })
})

describe('suppliers', () => {
  test.each(['lost_before', 'lost_after'] as const)('%s: retried under the same key, one thing is made', async (fault) => {
    supplier.faults.push(fault)
    const id = await begun()
    await workTask(deps, id)
    expect((await task(id)).state).toBe('asked')
    await workTask(deps, id)
    expect((await task(id)).state).toBe('using')
    expect(supplier.things.size).toBe(1)
  })

  test('a supplier past the deadline: the money is released, and its late product is given back', async () => {
    supplier.faults.push('lost_after')
    const id = await begun()
    await workTask(deps, id)
    await pass(id, 'deadline_at')
    supplier.faults.push('lost_before')
    // The supplier's thing is not ready in time either
    for (const thing of supplier.things.values()) thing.state = 'made'
    await workTask(deps, id)
    expect(await task(id)).toMatchObject({ state: 'failed', cause: 'too_late', money: 'released' })
    await pass(id, 'next_check_at')
    await workTasks(deps)
    await pass(id, 'next_check_at')
    await workTasks(deps)
    expect(supplier.things.get(`${id}:make`)?.state).toBe('gone')
    expect(await task(id)).toMatchObject({ atSupplier: false })
    expect(await money()).toEqual(['10', '10'])
  })
})

test('a response that cannot be stored fails the task at its deadline, and the money is released', async () => {
  const id = await begun()
  await db.owner.query(
    `create function pg_temp_refuse() returns trigger language plpgsql as $$ begin if new.state = 'using' and new.id = '${id}' then raise 'does not fit'; end if; return new; end $$`,
  )
  await db.owner.query('create trigger refuses before update on services_tasks for each row execute function pg_temp_refuse()')
  await workTask(deps, id)
  expect((await task(id)).state).toBe('asked')
  await pass(id, 'deadline_at')
  await workTask(deps, id)
  expect(await task(id)).toMatchObject({ state: 'failed', cause: 'too_late', money: 'released' })
  await db.owner.query('drop trigger refuses on services_tasks')
})

describe('free uses', () => {
  test('are taken once each under a race, and come back where the cause says so', async () => {
    FREE.uses = 2
    const all = await Promise.all(Array.from({ length: 5 }, () => begin()))
    expect(all.filter(({ pay: wanted }) => wanted === null)).toHaveLength(2)
    const { task: free } = all.find(({ pay: wanted }) => wanted === null)!
    supplier.faults.push('refused')
    await workTask(deps, free.id)
    expect(await task(free.id)).toMatchObject({ state: 'failed', free: 'back' })
    const { task: again, pay: wanted } = await begin()
    expect(wanted).toBeNull()
    // A cause of `part` returns the use as well, unless the task was delivered
    await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id: again.id, from: ['asked'], to: { to: 'failed', cause: 'half' } }))
    expect(await task(again.id)).toMatchObject({ state: 'failed', free: 'back' })
    const { task: used } = await begin()
    await workTask(deps, used.id)
    await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id: used.id, from: ['using'], to: { to: 'failed', cause: 'half' } }))
    expect(await task(used.id)).toMatchObject({ state: 'failed', free: 'taken' })
    expect(await money()).toEqual(['10', '10'])
  })
})

describe('switches', () => {
  test('a paused service begins nothing and sells no draft; begun tasks continue', async () => {
    const { task: draft } = await begin()
    const live = await begun()
    const set = (value: Record<string, string>) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, pausedServices, value))
    await set({ example: 'until Monday' })
    await expect(begin()).rejects.toMatchObject({ errorName: 'SERVICE_PAUSED', data: { reason: 'until Monday' } })
    expect((await pay(draft.id)).code).toBe(3703)
    await workTask(deps, live)
    expect((await task(live)).state).toBe('using')
    await set({})
  })
})

describe('records', () => {
  test('drafts and live tasks are limited: a new draft replaces the oldest, and live tasks at the limit refuse it', async () => {
    const atOnce = 3
    const next = () =>
      transact(db, { kind: 'user', id: user.userId }, (tx) => beginTask(deps, tx, { service: 'example', userId: user.userId, product: 'one', atOnce })).then(
        (one) => one.task.id,
      )
    const [first, second] = [await next(), await next()]
    expect((await pay(first)).code).toBe(200)
    const more = [await next(), await next(), await next()]
    const states = async () => (await Promise.all([second, ...more].map(task))).map(({ state, cause }) => [state, cause].join(' ').trim())
    expect(await states()).toEqual(['lapsed not_paid', 'lapsed not_paid', 'draft', 'draft'])
    expect((await pay(second)).code).toBe(3706)
    for (const id of more.slice(1)) expect((await pay(id)).code).toBe(200)
    await expect(next()).rejects.toMatchObject({ errorName: 'SERVICE_TOO_MANY' })
    expect(await money()).toEqual(['10', '1'])
  })

  test('an unpaid draft lapses; a task is hidden from other members', async () => {
    const { task: draft } = await begin()
    const other = await aUser(deps)
    expect((await call('GET', '/v1/service/task', { id: draft.id }, { token: other.token })).code).toBe(3702)
    await call('POST', '/v1/service/giveUp', { id: draft.id }, { token: other.token })
    expect((await task(draft.id)).state).toBe('draft')
    await pass(draft.id, 'next_check_at')
    await workTasks(deps)
    expect(await task(draft.id)).toMatchObject({ state: 'lapsed', phase: 'failed', cause: 'not_paid' })
    expect((await call('GET', '/v1/service/tasks', {}, { token: user.token })).data.rowList).toHaveLength(1)
  })

  test('an overdue task is reported once', async () => {
    const id = await begun('desk')
      .then(() => '')
      .catch(() => '')
    expect(id).toBe('')
    await aFundedUser(db, { userId: user.userId, purchased: 20n * NANO_PER_USD })
    const waiting = await begun('desk')
    await workTask(deps, waiting)
    await pass(waiting, 'entered_at')
    await workTask(deps, waiting)
    const told = (await task(waiting)).lateToldAt
    expect(told).not.toBeNull()
    await workTask(deps, waiting)
    expect((await task(waiting)).lateToldAt).toEqual(told)
    await settle()
    expect((await call('GET', '/user/deleteAccount/check', {}, { token: user.token })).data).toMatchObject({
      blockers: expect.arrayContaining([expect.objectContaining({ code: 'service', path: '/service' })]),
    })
  })
})

describe('the hub', () => {
  test('visitors see prices and whether a service is open', async () => {
    const { data } = await call('GET', '/v1/service/catalogue', {}, {})
    expect(data.rowList).toMatchObject([{ name: 'example', title: 'Example', path: '/service', from: '3', paused: null, desk: null }])
    expect(data.rowList[0]).not.toHaveProperty('quota')
  })

  test('one call returns a member’s running tasks and flags, in few statements', async () => {
    FREE.uses = 2
    const { task: free } = await begin()
    await workTask(deps, free.id)
    FREE.uses = 0
    const other = await aUser(deps)
    const asked = vi.spyOn(db, 'query')
    const { data } = await call('GET', '/v1/service/list', {}, { token: user.token })
    // Queries: sign-in, two for live and past tasks, the balance, and the free uses of each service
    expect(asked.mock.calls.length).toBeLessThanOrEqual(10)
    asked.mockRestore()
    expect(data.running).toMatchObject([{ id: free.id, state: 'using', phase: 'using', glance: `#${free.id.slice(-4)}` }])
    expect(Date.parse(data.running[0].expiresTime)).toBeGreaterThan(Date.now())
    expect(data.flags).toMatchObject({ apiFlex: true, flex: false })
    expect((await call('GET', '/v1/service/list', {}, { token: other.token })).data.running).toEqual([])
  })
})

test('a service whose states do not fit together does not start', () => {
  const { asked, ...others } = spec.states
  expect(findSpecProblems(spec)).toEqual([])
  expect(findSpecProblems({ ...spec, states: { ...others, asked: { ...asked!, to: ['nowhere'] } } })).toContain('asked goes to the unknown nowhere')
  expect(findSpecProblems({ ...spec, causes: {} })).not.toEqual([])
})

test('hours are in Beijing time', () => {
  expect(computeDeskHours(new Date('2026-11-23T02:00:00Z'), 10, 20)).toMatchObject({ isOpen: true })
  expect(computeDeskHours(new Date('2026-11-23T12:00:00Z'), 10, 20)).toEqual({ isOpen: false, opensAt: new Date('2026-11-24T02:00:00Z') })
  expect(computeDeskHours(new Date('2026-11-22T17:00:00Z'), 10, 20)).toEqual({ isOpen: false, opensAt: new Date('2026-11-23T02:00:00Z') })
})
