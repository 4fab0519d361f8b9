import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { replaceIssuers } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { createBookIssuer } from '#features/cards/server/testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork } from '#features/cards/server/testing/funded-card.ts'
import type { FundedCard } from '#features/cards/server/testing/funded-card.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { findUpgradePlan, isSeatCountAllowed, MAX_SEATS } from '../plans.ts'
import { UPGRADE_QUEUE_STATES } from '../words.ts'
import { listUpgradeOrders } from './data.ts'
import { upgrade } from './index.ts'
import { buildUpgradeRows } from './orders/view.ts'
import { upgradeServices } from './settings.ts'

// Edge cases: member, merchant and desk act on one order in an unusual sequence.
const db = await useTestDb({ max: 12 })
const product = [upgrade, services, cards, identity, payments, wallet, account, notices, risk, support]
const clock = createRunningClock()
const { app, call, deps } = createTestApp({ features: product, db, clock })
const desk = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
afterAll(() => Promise.all([app.close(), desk.app.close()]))
const issuer = createBookIssuer()
const PIN = '271828'
const SHOP = { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' }
let person: Awaited<ReturnType<typeof anOperator>>
let made: FundedCard

const setting = (key: string, value: unknown) =>
  db.owner.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test') on conflict (key) do update set value = excluded.value`, [
    key,
    JSON.stringify(value),
  ])
beforeAll(async () => {
  await upgrade.start!(deps, new Set())
  await setting('services.hours', { from: 0, to: 24 })
  person = await anOperator(desk.deps, ['serviceDesk'])
})
const aMember = async (): Promise<FundedCard> => {
  const member = await aFundedCard(deps, db, { issuer, options: { dollars: 25 } })
  await aPayPassword(deps, member.user.userId, PIN)
  return member
}
beforeEach(async () => {
  for (const each of [deps, desk.deps]) replaceIssuers(each, [issuer])
  made = await aMember()
})

let links = 0
const aLink = () => `https://pay.openai.com/c/pay/cs_live_${`z1B2c3D4e5F6g7H8i9J0${++links}`}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
const say = (path: string, body: object = {}, method: 'GET' | 'POST' = 'POST', { user } = made) =>
  call(method, path, body, { token: user.token, idempotencyKey: createId('key') })
const draft = (given: object = {}, member = made) =>
  say('/reward/bindTask', { plan: 'chatgpt-plus', account: `li${++links}@fastmail.com`, link: aLink(), ...given }, 'POST', member)
const enter = (id: string, member = made) => say('/reward/bindQueue', { id, cardId: member.card.id, total: '20', payPassword: PIN }, 'POST', member)
const relink = (id: string) => say('/reward/bindTask/link', { id, link: aLink(), payPassword: PIN })
async function queued(given: object = {}): Promise<{ id: string; taskId: string }> {
  const { data } = await draft(given)
  expect((await enter(data.id)).code).toBe(200)
  const [row] = await db.query<{ taskId: string }>('select task_id from upgrade_orders where id = $1', [data.id])
  await workTask(deps, row!.taskId)
  return { id: data.id, taskId: row!.taskId }
}
const status = async (id?: string) => (await say('/reward/status', id ? { id } : {}, 'GET')).data.order
const take = (id: string) =>
  db.owner.query(`update services_tasks set taken_by = $2, taken_until = clock_timestamp() + interval '15 minutes' where id = $1`, [id, person.id])
const reveal = async (id: string) => {
  await take(id)
  await db.owner.query('update backoffice_sessions set proven_at = $2 where operator_id = $1', [person.id, clock.now()])
  return desk.call('POST', '/operator/services/upgrade/reveal', { id }, { token: person.token })
}
const end = (id: string, to: 'done' | 'failed' | 'link_expired', cause?: string) =>
  transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: [...UPGRADE_QUEUE_STATES], to: { to, supplier: 'desk', ...(cause ? { cause } : {}) } }))
const pay = (minor: bigint) => issuer.authorize(made.card.cardRef!, minor, { decide: createDecisionCaller(deps, issuer), merchant: SHOP })
/** Runs an operator's command like the desk's pages do. */
async function runCommand(name: string, input: object): Promise<void> {
  const preview = await desk.call('POST', `/operator/do/${name}/preview`, input, { token: person.token })
  expect([preview.code, preview.msg]).toEqual([200, preview.msg])
  const asking = { ...input, expects: preview.data.expects, reasonCode: 'incident', reason: 'a reason of some length' }
  const reply = await desk.call('POST', `/operator/do/${name}`, asking, { token: person.token, idempotencyKey: createId('key') })
  expect([reply.code, reply.msg, reply.data?.state]).toEqual([200, reply.msg, 'done'])
}
const sound = async () => {
  await deliverNotices(deps, issuer)
  await advanceWaitingWork(deps, db, issuer)
  expect(await auditBooks(db, issuer)).toEqual([])
}

test('a sum that the merchant took while a person worked pays no supplier: the desk continues, and we lose nothing', async () => {
  await setting('upgrade.supplier', 'sandbox')
  const { id, taskId } = await queued({ account: `thief${++links}+captcha@fastmail.com` })
  clock.advance(3_000)
  await workTask(deps, taskId)
  // Checkouts require the address that the issuer has on file
  expect(await reveal(taskId)).toMatchObject({
    code: 200,
    data: { billingAddress: { line1: made.card.address.line1, postalCode: made.card.address.postalCode } },
  })
  await end(taskId, 'link_expired')
  // The member pays for something else at the same merchant
  expect((await pay(2000n)).approved).toBe(true)
  expect((await relink(id)).data.state).toBe('placed')
  await workTask(deps, taskId)
  expect((await status(id)).state).toBe('queued')
  expect((await db.query(`select 1 as one from upgrade_sandbox where account like 'thief%'`)).length).toBe(1)
  await end(taskId, 'failed', 'refused')
  await setting('upgrade.supplier', 'desk')
  await sound()
})

test('the taken sum is what the merchant kept, also after a smaller capture or a reversal after the end', async () => {
  const one = await queued()
  await reveal(one.taskId)
  const auth = await pay(2000n)
  await end(one.taskId, 'done')
  expect(await status(one.id)).toMatchObject({ taken: '20', back: '0' })
  issuer.capture(auth, 1800n)
  await sound()
  expect(await status(one.id)).toMatchObject({ taken: '18', back: '2' })
  made = await aMember()
  const two = await queued()
  await reveal(two.taskId)
  const late = await pay(2000n)
  await end(two.taskId, 'failed', 'method_failed')
  issuer.reverse(late)
  await sound()
  expect(await status(two.id)).toMatchObject({ taken: '0', back: '20' })
})

test('of two members who queue the same account or the same link at once, one begins', async () => {
  for (const shared of [{ account: 'shared@fastmail.com' }, { link: aLink() }]) {
    const other = await aMember()
    const [mine, theirs] = [await draft(shared), await draft(shared, other)]
    const codes = (await Promise.all([enter(mine.data.id), enter(theirs.data.id, other)])).map(({ code }) => code)
    expect(codes.sort()).toEqual([200, 3779])
    made = await aMember()
  }
})

test('input while the draft is queued becomes a new draft, never an error', async () => {
  const { data } = await draft()
  const replies = await Promise.all([enter(data.id), ...Array.from({ length: 12 }, () => draft())])
  expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]))
})

test('a failed card reveal is not counted, and one made meanwhile stays counted', async () => {
  const { id, taskId } = await queued()
  const slow = async () => {
    await end(taskId, 'link_expired')
    expect((await relink(id)).code).toBe(200)
    await workTask(deps, taskId)
    replaceIssuers(desk.deps, [issuer])
    expect((await reveal(taskId)).code).toBe(200)
    throw new Error('away')
  }
  replaceIssuers(desk.deps, [{ ...issuer, reveal: slow } as never])
  expect((await reveal(taskId)).code).toBe(3613)
  expect((await reveal(taskId)).code).toBe(3780)
  expect((await pay(2000n)).approved).toBe(true)
})

test('a draft of a discontinued service is shown without figures, and can be thrown away', async () => {
  const { data } = await draft({ plan: 'poe-month', link: '' })
  const { poe: _gone, ...sold } = upgradeServices.fallback
  await setting('upgrade.services', sold)
  expect(await status()).toMatchObject({ id: data.id, state: 'draft', total: '0' })
  expect((await say('/reward/bindTask/forget', { id: data.id })).code).toBe(200)
  await setting('upgrade.services', upgradeServices.fallback)
})

test('a list of orders takes four queries, however many there are', async () => {
  made = await aFundedCard(deps, db, { issuer, options: { user: made.user, dollars: 60 } })
  for (let n = 0; n < 3; n++) await end((await queued()).taskId, 'failed', 'refused')
  const asked: string[] = []
  const sql = { ...db, query: ((text: string, values?: unknown[]) => (asked.push(text), db.query(text, values))) as typeof db.query }
  const views = await buildUpgradeRows({ ...deps, lang: 'zh' } as Ctx, sql, await listUpgradeOrders(sql, made.user.userId, { limit: 50 }))
  expect([views.length, asked.length]).toEqual([3, 4])
  expect(views.every(({ steps, back }) => steps.length > 1 && back === '20')).toBe(true)
})

test('deleting a member erases their data, also in the facts of the task', async () => {
  const { id, taskId } = await queued({ account: 'leaver@fastmail.com' })
  await end(taskId, 'failed', 'refused')
  const forget = upgrade.events!.find(({ event }) => event === 'user.deleted')!
  await forget.handle(deps, { userId: made.user.userId })
  const rows = await db.query<{ said: string }>(
    'select t::text || o::text as said from services_tasks t join upgrade_orders o on o.task_id = t.id where t.id = $1',
    [taskId],
  )
  expect(rows[0]!.said).toContain(id)
  expect(rows[0]!.said).not.toMatch(/leaver|cs_live/)
  expect(await readCardMoney(db, made.card.id)).toMatchObject({ held: 0 })
})

describe('an operator pauses upgrades while orders are under way', () => {
  const PAUSED = { code: 3703, data: { reason: '休息一天' } }
  beforeEach(async () => {
    made = await aFundedCard(deps, db, { issuer, options: { user: made.user, dollars: 60 } })
  })
  const pause = () => runCommand('service.pause', { service: 'upgrade', why: PAUSED.data.reason })
  afterEach(async () => {
    await setting('services.paused', {})
    await setting('upgrade.supplier', 'desk')
  })

  test('a draft is neither begun nor changed, holds nothing, and is queued after the pause', async () => {
    const account = `waits${++links}@fastmail.com`
    const { data } = await draft({ account })
    await pause()
    expect(await enter(data.id)).toMatchObject(PAUSED)
    expect(await draft({ account: `other${++links}@fastmail.com` })).toMatchObject(PAUSED)
    expect(await status()).toMatchObject({ id: data.id, state: 'draft', account })
    expect(await readCardMoney(db, made.card.id)).toMatchObject({ held: 0 })
    await runCommand('service.resume', { service: 'upgrade' })
    expect((await enter(data.id)).data).toMatchObject({ state: 'placed' })
    expect(await readCardMoney(db, made.card.id)).toMatchObject({ held: 2000 })
  })

  test('an order whose sum is held reaches the supplier, is delivered and charged once, and none is refunded', async () => {
    await setting('upgrade.supplier', 'sandbox')
    const before = await readCardMoney(db, made.card.id)
    const account = `paid${++links}@fastmail.com`
    const { data } = await draft({ account })
    expect((await enter(data.id)).code).toBe(200)
    const [row] = await db.query<{ taskId: string }>('select task_id from upgrade_orders where id = $1', [data.id])
    const placed = async () => (await db.query('select 1 as one from upgrade_sandbox where account = $1', [account])).length
    expect([(await status(data.id)).state, await placed()]).toEqual(['placed', 0])
    await pause()
    await workTask(deps, row!.taskId)
    clock.advance(3_000)
    for (let n = 0; n < 2; n++) await workTask(deps, row!.taskId)
    expect([(await status(data.id)).state, await placed()]).toEqual(['done', 1])
    expect(await status(data.id)).toMatchObject({ taken: '20', back: '0' })
    expect(await readCardMoney(db, made.card.id)).toMatchObject({ posted: before.posted - 2000, held: 0 })
    await sound()
  })

  test('an order at the desk gets its new link, its card and its end; another one leaves the queue with its sum', async () => {
    const [one, two] = [await queued(), await queued()]
    await end(one.taskId, 'link_expired')
    await pause()
    expect((await relink(one.id)).data).toMatchObject({ state: 'placed' })
    await workTask(deps, one.taskId)
    expect((await reveal(one.taskId)).code).toBe(200)
    expect((await pay(2000n)).approved).toBe(true)
    await runCommand('service.finish', { id: one.taskId, state: 'done', facts: { receipt: 'in_1Qx OPENAI' } })
    expect(await status(one.id)).toMatchObject({ state: 'done', taken: '20', back: '0' })
    expect((await say('/reward/bindTask/leave', { id: two.id })).data).toMatchObject({ state: 'failed', cause: 'given_up', back: '20' })
    expect(await draft()).toMatchObject(PAUSED)
    await sound()
  })
})

describe('limits', () => {
  test('a member has three open orders; a fourth is refused and holds nothing, and begins once one has ended', async () => {
    made = await aFundedCard(deps, db, { issuer, options: { user: made.user, dollars: 100 } })
    const three = [await queued(), await queued(), await queued()]
    const { data } = await draft()
    expect(await enter(data.id)).toMatchObject({ code: 3705, data: { most: 3 } })
    expect(await readCardMoney(db, made.card.id)).toMatchObject({ held: 6000 })
    await end(three[0]!.taskId, 'failed', 'refused')
    expect((await enter(data.id)).code).toBe(200)
  })

  test('a team has a hundred seats at most, each paid for', async () => {
    expect((await draft({ plan: 'chatgpt-team-month', seats: MAX_SEATS })).data).toMatchObject({ seats: 100, total: '3000' })
    expect(await draft({ plan: 'chatgpt-team-month', seats: MAX_SEATS + 1 })).toMatchObject({ status: 400 })
    const team = findUpgradePlan('chatgpt-team-month')!
    expect([MAX_SEATS, MAX_SEATS + 1].map((seats) => isSeatCountAllowed(team, seats))).toEqual([true, false])
    expect([1, 2].map((seats) => isSeatCountAllowed(findUpgradePlan('chatgpt-plus')!, seats))).toEqual([true, false])
  })
})
