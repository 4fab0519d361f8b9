import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { replaceIssuers } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { createBookIssuer } from '#features/cards/server/testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork } from '#features/cards/server/testing/funded-card.ts'
import type { FundedCard } from '#features/cards/server/testing/funded-card.ts'
import { identity } from '#features/identity/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { moveTask, selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { UPGRADE_QUEUE_STATES, UPGRADE_CAUSES } from '../words.ts'
import { upgrade } from './index.ts'
import { upgradePersonal } from './personal.ts'

const db = await useTestDb({ max: 12 })
const product = [upgrade, services, cards, identity, payments, wallet, account, notices, risk, support]
const clock = createRunningClock()
const { app, call, deps, settle } = createTestApp({ features: product, db, clock })
const desk = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators', env: { CONSOLE_URL: 'https://ops.example' } })
afterAll(() => Promise.all([app.close(), desk.app.close()]))
const issuer = createBookIssuer()
interface Asked {
  readonly cardRef: string
  readonly seconds?: number
}
const asked: Asked[] = []
replaceIssuers(deps, [issuer])
replaceIssuers(desk.deps, [{ ...issuer, reveal: async (wanted: Asked) => (asked.push(wanted), issuer.reveal(wanted)) } as never])
const ask = createDecisionCaller(deps, issuer)
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
beforeEach(async () => {
  await setting('upgrade.supplier', 'desk')
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 25 } })
  await aPayPassword(deps, made.user.userId, PIN)
})

let links = 0
const aLink = () => `https://pay.openai.com/c/pay/cs_live_${`a1B2c3D4e5F6g7H8i9J0${++links}`}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
const as = () => ({ token: made.user.token, idempotencyKey: createId('key') })
const say = (path: string, body: object = {}, method: 'GET' | 'POST' = 'POST') => call(method, path, body, as())
const draft = (given: object = {}) => say('/reward/bindTask', { plan: 'chatgpt-plus', account: `wang${++links}@fastmail.com`, link: aLink(), ...given })
const enter = (id: string, given: object = {}) => say('/reward/bindQueue', { id, cardId: made.card.id, total: '20', payPassword: PIN, ...given })
async function queued(given: object = {}, total = '20'): Promise<{ id: string; taskId: string }> {
  const { data } = await draft(given)
  const reply = await enter(data.id, { total })
  expect([reply.code, reply.msg]).toEqual([200, reply.msg])
  const taskId = await taskOf(data.id)
  await workTask(deps, taskId)
  return { id: data.id, taskId }
}
const taskOf = async (id: string) => (await db.query<{ taskId: string }>('select task_id from upgrade_orders where id = $1', [id]))[0]!.taskId
const status = async (id?: string) => (await say('/reward/status', id ? { id } : {}, 'GET')).data.order
const money = () => readCardMoney(db, made.card.id)
const take = (id: string, operator = person.id, minutes = 15) =>
  db.owner.query(`update services_tasks set taken_by = $2, taken_until = clock_timestamp() + make_interval(mins => $3) where id = $1`, [id, operator, minutes])
/** Sets the time of the operator's last step-up. */
const proven = (at: Date) => db.owner.query('update backoffice_sessions set proven_at = $2 where operator_id = $1', [person.id, at])
async function reveal(id: string, token = person.token) {
  await proven(clock.now())
  return desk.call('POST', '/operator/services/upgrade/reveal', { id }, { token })
}
/** Runs a command of the desk like its pages do. */
async function does(name: string, input: object): Promise<{ code: number; msg: string; data: { state: string } }> {
  const preview = await desk.call('POST', `/operator/do/${name}/preview`, input, { token: person.token })
  expect([preview.code, preview.msg]).toEqual([200, preview.msg])
  const asking = { ...input, expects: preview.data.expects, reasonCode: 'customerAsked', reason: '' }
  return desk.call('POST', `/operator/do/${name}`, asking, { token: person.token, idempotencyKey: createId('key') })
}
/** Ends a task like the desk's command. */
const end = (id: string, to: 'done' | 'failed' | 'link_expired', cause?: string) =>
  transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: [...UPGRADE_QUEUE_STATES], to: { to, supplier: 'desk', ...(cause ? { cause } : {}) } }))
const pay = (minor = 2000n) => issuer.authorize(made.card.cardRef!, minor, { decide: ask, merchant: SHOP })
const sound = async () => {
  await deliverNotices(deps, issuer)
  await advanceWaitingWork(deps, db, issuer)
  expect(await auditBooks(db, issuer)).toEqual([])
}

test('an upgrade done by a person holds the sum, shows the number once, and pays the merchant once, to the cent', async () => {
  const { data: filled } = await draft({ account: ' Wang.Min+gpt@fastmail.com ' })
  expect(filled).toMatchObject({ state: 'draft', account: 'Wang.Min+gpt@fastmail.com', total: '20', planName: 'ChatGPT Plus' })
  // Another browser sees the same draft
  expect((await status()).id).toBe(filled.id)
  const { data: check } = await say('/reward/bindTask/cardCheck', { id: filled.id })
  expect(check).toMatchObject({ amount: '20', fee: '0', total: '20', most: 4, cards: [{ id: made.card.id, problem: null, accounts: 0 }] })
  expect((await enter(filled.id, { payPassword: '000001' })).code).toBe(1031)
  expect((await enter(filled.id)).data).toMatchObject({ state: 'placed', last4: made.card.last4, ticket: expect.stringMatching(/^A\d{3,}$/) })
  expect(await money()).toMatchObject({ available: 500, held: 2000 })
  const taskId = await taskOf(filled.id)
  await workTask(deps, taskId)
  expect(await status()).toMatchObject({ state: 'queued', inHand: false, taken: '0' })
  const inQueue = async () => (await desk.call('GET', '/operator/services/queue', { service: 'upgrade' }, { token: person.token })).data.rows
  expect(await inQueue()).toMatchObject([{ id: taskId, amount: '20', card: { last4: made.card.last4, taken: '0' } }])
  // The order's own merchant is declined too, until an operator reveals the card
  expect((await pay()).reason).toBe('insufficient_funds')

  expect((await reveal(taskId)).code).toBe(3707)
  expect(await does('service.take', { id: taskId })).toMatchObject({ code: 200, data: { state: 'done' } })
  expect((await reveal(taskId)).data).toEqual({
    url: expect.stringContaining('nonce='),
    expiresTime: expect.any(String),
    billingAddress: expect.objectContaining({ line1: expect.any(String), postalCode: expect.any(String), country: expect.any(String) }),
  })
  expect(asked.at(-1)).toMatchObject({ origin: 'https://ops.example', cardRef: made.card.cardRef })
  expect(asked.at(-1)!.seconds).toBeGreaterThan(800)
  expect(asked.at(-1)!.seconds).toBeLessThanOrEqual(900)
  expect((await reveal(taskId)).code).toBe(3780)
  expect((await db.query(`select 1 from audit_rows where action = 'upgrade.revealed' and target = $1`, [`service:${taskId}`])).length).toBe(1)
  expect(await status()).toMatchObject({ inHand: true, shownTime: expect.any(String) })
  expect((await say('/reward/bindTask/leave', { id: filled.id })).code).toBe(3778)

  const auth = await pay()
  expect(auth.approved).toBe(true)
  expect(await inQueue()).toMatchObject([{ id: taskId, amount: '20', card: { taken: '20' } }])
  expect(await does('service.finish', { id: taskId, state: 'done', facts: { receipt: 'in_1Qx OPENAI' } })).toMatchObject({ code: 200, data: { state: 'done' } })
  issuer.capture(auth, 2000n)
  await sound()
  await settle()
  expect(await money()).toEqual({ posted: 500, held: 0, available: 500, owed: 0 })
  expect(await status()).toMatchObject({ state: 'done', cause: '', taken: '20', back: '0' })
  const { flags } = (await say('/v1/service/list', {}, 'GET')).data
  expect(flags).toMatchObject({ hasSubscribedUser: true, chatgptBackup: true, flex: false })
  const [mail] = await listSandboxMails(db, made.user.email)
  expect(mail!.text).toContain('$20')
})

test.each(UPGRADE_CAUSES.filter((cause) => cause !== 'given_up'))('failed by %s: the whole sum is released at once', async (cause) => {
  const { id, taskId } = await queued()
  await end(taskId, 'failed', cause)
  expect(await money()).toEqual({ posted: 2500, held: 0, available: 2500, owed: 0 })
  const order = await status(id)
  expect(order).toMatchObject({ state: 'failed', cause, taken: '0', back: '20' })
  expect(order.retryTime === null).toBe(cause !== 'risk')
})

test('after a refusal by risk control the same account waits twelve hours, another one does not', async () => {
  const { id, taskId } = await queued({ account: 'risky@fastmail.com' })
  await end(taskId, 'failed', 'risk')
  const retry = new Date((await status(id)).retryTime).getTime()
  expect(Math.round((retry - clock.now().getTime()) / 3_600_000)).toBe(12)
  expect((await draft({ account: 'RISKY@fastmail.com' })).code).toBe(3775)
  expect((await draft({ account: 'calm@fastmail.com' })).code).toBe(200)
})

test('failed after the merchant took some: the rest is released, and the page shows both', async () => {
  const { id, taskId } = await queued()
  await take(taskId)
  await reveal(taskId)
  const auth = await pay(500n)
  await end(taskId, 'failed', 'method_failed')
  expect(await money()).toMatchObject({ available: 2000, held: 500 })
  expect(await status(id)).toMatchObject({ taken: '5', back: '15' })
  issuer.reverse(auth)
  await sound()
  expect(await money()).toEqual({ posted: 2400, held: 0, available: 2400, owed: 0 })
})

test('a new link for an expired one keeps place and sum, needs the password, and lends the card once more', async () => {
  const { id, taskId } = await queued()
  await take(taskId)
  expect((await reveal(taskId)).code).toBe(200)
  await end(taskId, 'link_expired')
  await settle()
  expect(await status()).toMatchObject({ id, state: 'link_expired', deadlineTime: expect.any(String) })
  expect((await listSandboxMails(db, made.user.email))[0]!.text).toContain('24')
  const relink = (link: string, payPassword = PIN) => say('/reward/bindTask/link', { id, link, payPassword })
  expect((await relink('https://example.com/')).code).toBe(3773)
  expect((await relink(aLink(), '000001')).code).toBe(1031)
  const link = aLink()
  expect((await relink(link)).data).toMatchObject({ state: 'placed' })
  expect((await relink(link)).code).toBe(3778)
  await workTask(deps, taskId)
  // The card is blocked until an operator reveals it again
  expect((await pay()).approved).toBe(false)
  await take(taskId)
  expect((await reveal(taskId)).code).toBe(200)
  expect((await reveal(taskId)).code).toBe(3780)
  expect(await money()).toMatchObject({ held: 2000 })
  expect((await selectTask(db, taskId))!.facts['link']).toBe(link)
  await end(taskId, 'failed', 'refused')
  await sound()
})

test('an order leaves the queue while no operator has it in hand, idempotently', async () => {
  const { id } = await queued()
  const leave = () => say('/reward/bindTask/leave', { id })
  expect((await leave()).data).toMatchObject({ state: 'failed', cause: 'given_up', back: '20' })
  expect((await leave()).data).toMatchObject({ cause: 'given_up' })
  expect(await money()).toMatchObject({ held: 0, available: 2500 })
})

test('concurrent requests take one place and hold one sum', async () => {
  const { data } = await draft()
  // No more in parallel than attempts allowed: each counts as an attempt until it is compared
  const replies = await Promise.all(Array.from({ length: 4 }, () => enter(data.id)))
  expect(replies.map(({ code }) => code).sort()).toEqual([200, 3778, 3778, 3778])
  expect(await money()).toMatchObject({ held: 2000 })
})

test('a draft is refused for its mail, link, seats, price, a duplicate account, a low balance or a full card', async () => {
  expect(await draft({ account: 'wang@outlook.com' })).toMatchObject({ code: 3772, data: { problem: 'microsoft' } })
  expect(await draft({ link: 'https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J0' })).toMatchObject({ code: 3773, data: { problem: 'incomplete' } })
  expect(await draft({ plan: 'chatgpt-team-month', seats: 1 })).toMatchObject({ code: 3774, data: { least: 2 } })
  const { data: team } = await draft({ plan: 'chatgpt-team-year', seats: 3 })
  expect(team.total).toBe('900')
  // A recharge cannot exceed the monthly limit
  expect((await say('/reward/bindTask/cardCheck', { id: team.id })).data.cards).toMatchObject([{ problem: 'month', recharges: null }])
  const { data: small } = await draft({ plan: 'chatgpt-team-month', seats: 2 })
  expect(small.total).toBe('60')
  expect((await say('/reward/bindTask/cardCheck', { id: small.id })).data.cards).toMatchObject([
    { problem: 'short', missing: '35', recharges: { most: '60', count: 1 } },
  ])
  const limits = cards.settings!.find(({ key }) => key === 'cards.recharge')!
  const most = (max: string) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, limits, { ...limits.fallback, max, maxIdentified: max }))
  await most('20')
  expect((await say('/reward/bindTask/cardCheck', { id: small.id })).data.cards).toMatchObject([{ missing: '35', recharges: { most: '20', count: 2 } }])
  await most('60')
  expect(await enter(small.id, { total: '60' })).toMatchObject({ code: 3776, data: { problem: 'short', missing: '35' } })
  const { data } = await draft({ account: 'once@fastmail.com' })
  expect(await enter(data.id, { total: '19' })).toMatchObject({ code: 3782, data: { total: '20' } })
  expect((await enter(data.id)).code).toBe(200)
  expect((await draft({ account: 'Once@fastmail.com' })).code).toBe(3779)
  await end(await taskOf(data.id), 'done')
  for (let n = 0; n < 3; n++) await end((await queued()).taskId, 'done')
  const { data: fifth } = await draft()
  expect(await enter(fifth.id)).toMatchObject({ code: 3776, data: { problem: 'full' } })
  // The same account again does not count as another one
  const { data: again } = await draft({ account: 'once@fastmail.com' })
  expect((await enter(again.id)).code).toBe(200)
  await sound()
})

test('a supplier’s upgrade is charged once from the held sum; its refusal, silence and captcha go to the desk', async () => {
  await setting('upgrade.supplier', 'sandbox')
  const go = async (tag: string, rounds = 2) => {
    const { id, taskId } = await queued({ account: `sup${++links}${tag && `+${tag}`}@fastmail.com` })
    for (let n = 0; n < rounds; n++) {
      clock.advance(3_000)
      await workTask(deps, taskId)
    }
    return { taskId, order: await status(id) }
  }
  expect((await go('')).order).toMatchObject({ state: 'done', taken: '20', back: '0' })
  expect(await money()).toEqual({ posted: 500, held: 0, available: 500, owed: 0 })
  await sound()
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 25 } })
  await aPayPassword(deps, made.user.userId, PIN)
  for (const cause of ['risk', 'card_rejected', 'mailbox'] as const) expect((await go(cause)).order).toMatchObject({ state: 'failed', cause, back: '20' })
  expect((await go('lost', 3)).order).toMatchObject({ state: 'done', taken: '20' })
  expect((await db.query('select 1 as one from upgrade_sandbox where account like $1', ['%+lost@%'])).length).toBe(1)
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 100 } })
  await aPayPassword(deps, made.user.userId, PIN)
  const refused = await go('refused')
  expect(refused.order.state).toBe('queued')
  const captcha = await go('captcha')
  expect(captcha.order.state).toBe('captcha')
  const silent = await go('silent')
  expect(silent.order.state).toBe('placed')
  await db.owner.query(`update services_tasks set entered_at = entered_at - interval '31 minutes' where id = $1`, [silent.taskId])
  await workTask(deps, silent.taskId)
  expect((await status(silent.order.id)).state).toBe('queued')
  const states = await db.query<{ state: string }>(`select state from upgrade_sandbox where account like '%+silent@%'`)
  expect(states[0]!.state).toBe('cancelled')
  for (const { taskId } of [refused, captcha, silent]) {
    await end(taskId, 'failed', 'refused')
    await workTask(deps, taskId)
  }
  const live = await db.query(`select 1 as one from upgrade_sandbox where state in ('working','captcha','expired')`)
  expect(live.length).toBe(0)
  await setting('upgrade.supplier', 'desk')
  await sound()
})

test('T7: an order that waits in any state is reported late and ends on time, with its sum released', async () => {
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 100 } })
  await aPayPassword(deps, made.user.userId, PIN)
  const [one, two, three] = [await queued(), await queued(), await queued()]
  await end(two.taskId, 'link_expired')
  await db.owner.query(`update services_tasks set state = 'captcha' where id = $1`, [three.taskId])
  const all = [one, two, three].map(({ taskId }) => taskId)
  await db.owner.query(`update services_tasks set entered_at = entered_at - interval '25 hours' where id = any($1)`, [all])
  for (const id of all) await workTask(deps, id)
  const told = await db.query<{ late: boolean }>('select late_told_at is not null as late from services_tasks where id = any($1)', [all])
  expect(told.map(({ late }) => late)).toEqual([true, true, true])
  await db.owner.query(`update services_tasks set deadline_at = clock_timestamp() where id = any($1)`, [all])
  for (const id of all) await workTask(deps, id)
  const ends = await db.query<{ cause: string }>('select cause from services_tasks where id = any($1) order by cause', [all])
  expect(ends.map(({ cause }) => cause)).toEqual(['link_late', 'too_late', 'too_late'])
  expect(await money()).toMatchObject({ held: 0, available: 10_000 })
})

test('the queue’s people ahead, tickets and minutes are counted from past orders', async () => {
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 100 } })
  await aPayPassword(deps, made.user.userId, PIN)
  const first = await queued()
  const second = await queued()
  const look = async (id?: string) => (await say('/reward/openaiQueue', id ? { id } : {})).data
  const ahead = await look(second.id)
  expect(ahead).toMatchObject({ ahead: (await look(first.id)).ahead + 1, isOpen: true, working: expect.any(Number) })
  expect(ahead.tickets.at(-1)).toBe((await status(first.id)).ticket)
  expect(ahead.minutes).toBeGreaterThan(0)
  expect(ahead.counted).toBeGreaterThanOrEqual(5)
  await end(first.taskId, 'failed', 'refused')
  await end(second.taskId, 'failed', 'refused')
})

test('G6: a card is shown only to an operator with a recent step-up', async () => {
  const { taskId } = await queued()
  await take(taskId)
  await proven(new Date(clock.now().getTime() - 11 * 60_000))
  expect((await desk.call('POST', '/operator/services/upgrade/reveal', { id: taskId }, { token: person.token })).code).toBe(5003)
  expect((await reveal(taskId)).code).toBe(200)
  await end(taskId, 'done')
})

test('no card is shown outside the hours, to scripts, to others or after the end; an unavailable issuer costs no reveal', async () => {
  const { taskId } = await queued()
  await take(taskId)
  await setting('services.hours', { from: 0, to: 1 })
  if ((new Date().getUTCHours() + 8) % 24 === 0) await setting('services.hours', { from: 2, to: 3 })
  expect((await reveal(taskId)).code).toBe(3781)
  await setting('services.hours', { from: 0, to: 24 })
  const other = await anOperator(desk.deps, ['serviceDesk'])
  expect((await reveal(taskId, other.token)).code).toBe(3707)
  const script = await anOperatorToken(desk.deps, person.id, ['services.work'])
  expect((await reveal(taskId, script.token)).code).toBe(403)
  replaceIssuers(desk.deps, [{ ...issuer, reveal: async () => Promise.reject(new Error('away')) } as never])
  expect((await reveal(taskId)).code).toBe(3613)
  replaceIssuers(desk.deps, [issuer as never])
  expect((await reveal(taskId)).code).toBe(200)
  await end(taskId, 'done')
  expect((await reveal(taskId)).code).toBe(3704)
})

test('an account with an order in the queue is not closed, and its export lists the order', async () => {
  const { id, taskId } = await queued()
  expect((await upgradePersonal.blockersOf!(deps, made.user.userId, 'zh'))[0]).toMatchObject({ code: 'upgrade', path: '/gpt-upgrade' })
  expect(await upgradePersonal.exportOf!(deps, made.user.userId)).toMatchObject([{ id, plan: 'chatgpt-plus', card: made.card.last4 }])
  await end(taskId, 'done')
  expect(await upgradePersonal.blockersOf!(deps, made.user.userId, 'zh')).toEqual([])
})

test('a paused service begins nothing, and a begun order continues', async () => {
  const { taskId } = await queued()
  await setting('services.paused', { upgrade: '休息一天' })
  expect((await draft()).code).toBe(3703)
  const { data } = await call('POST', '/common/openAIPlus', {})
  expect(data.paused).toBe('休息一天')
  expect(data.plans.find(({ id }: { id: string }) => id === 'chatgpt-team-year')).toMatchObject({ price: '25', months: 12, team: 2 })
  await setting('services.paused', {})
  await end(taskId, 'done')
})
