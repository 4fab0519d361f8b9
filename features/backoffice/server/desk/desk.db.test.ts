import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd, sumNano } from '#platform/shared/money.ts'
import { aMobile, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser, aHold } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { WORK_KINDS, WORK_VIEWS } from '../../contract-desk.console.ts'
import { anOperator, anOperatorToken } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'

const product = [account, notices, payments, risk, support, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
let finance: BuiltOperator
let other: BuiltOperator
let user: BuiltUser

const get = async (path: string, input: object = {}, who: { token: string } = finance) =>
  (await call('GET', `/operator/${path}`, input, { token: who.token })).data
const post = (path: string, input: object, who: { token: string } = finance) => call('POST', `/operator/${path}`, input, { token: who.token })

/** Inserts a withdrawal that waits for approval, `hours` old. */
async function aWaiting(userId: string, dollars: bigint, hours: number): Promise<string> {
  const no = `W20261122-${createId('x').slice(-12).toUpperCase()}`
  await db.owner.query(
    `insert into payments_withdrawals (withdrawal_no, user_id, amount_nano, rate, pay_minor, state, shown, created_at, next_check_at)
    values ($1, $2, $3, '7.1', 100, 'approving', '{"alipay":"w***g@example.com","name":"**明"}', now() - make_interval(hours => $4), now() + interval '9 days')`,
    [no, userId, dollars * 1_000_000_000n, hours],
  )
  return no
}
async function pages(path: string, input: object, limit: number): Promise<any[]> {
  const rows: any[] = []
  for (let after: string | undefined; ;) {
    const page = await get(path, { ...input, limit, ...(after ? { after } : {}) })
    rows.push(...page.rows)
    if (page.next === null) return rows
    after = page.next
  }
}

beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  finance = await anOperator(deps, ['finance'], { name: 'Lin Ke' })
  other = await anOperator(deps, ['owner'], { name: 'Chen Yu' })
  user = await aUser(deps, { email: 'canary-desk@example.com' })
  await aFundedUser(db, { userId: user.userId, purchased: parseUsd('120.5'), granted: parseUsd('2') })
  await aHold(db, user.userId, { amount: parseUsd('20') })
  await aWaiting(user.userId, 600n, 3)
  await aWaiting((await aUser(deps)).userId, 20n, 9)
  await aConversation(deps, { userId: user.userId })
  await db.owner.query(
    `insert into support_complaints (id, user_id, email, content, lang, created_at) values ('cmp_1', $1, 'canary-desk@example.com', 'No money back', 'en', now())`,
    [user.userId],
  )
  await db.owner.query(`insert into invitations_reviews (inviter_id, due_at) values ($1, now() + interval '2 days')`, [user.userId])
})

test('counts match the lists for every kind and every view, and the earliest due item comes first', async () => {
  const counts = await get('work/counts')
  expect(counts.total).toBe(5)
  expect((await get('counts')).counts).toMatchObject({ work: 5, withdrawals: 2, support: 2 })
  for (const kind of WORK_KINDS) expect([kind, (await get('work', { kind })).rows.length]).toEqual([kind, counts.kinds[kind] ?? 0])
  for (const view of WORK_VIEWS) expect([view, (await get('work', { view })).rows.length]).toEqual([view, counts.views[view]])
  expect(counts.views).toMatchObject({ late: 1, large: 1, mine: 0 })
  const whole = await pages('work', {}, 50)
  expect(whole.map(({ dueAt }) => dueAt)).toEqual(whole.map(({ dueAt }) => dueAt).toSorted())
  expect(await pages('work', {}, 2)).toEqual(whole)
})

test('one of two operators takes an item, for a quarter of an hour; a script takes none', async () => {
  const [{ id }] = (await get('work', { kind: 'complaint' })).rows
  const both = await Promise.all([post('work/take', { id }), post('work/take', { id }, other)])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 5018])
  const [winner, loser] = both[0]!.code === 200 ? [finance, other] : [other, finance]
  expect((await get('work/item', { id })).taken).toMatchObject({ operatorId: winner.id, name: winner.name })
  expect((await get('work/counts', {}, winner)).views.mine).toBe(1)
  // Putting back another operator's item changes nothing
  await post('work/putBack', { id }, loser)
  expect((await get('work/item', { id })).taken).not.toBeNull()
  clock.advance(15 * 60_000 + 1)
  expect((await get('work/item', { id })).taken).toBeNull()
  expect((await post('work/take', { id }, loser)).code).toBe(200)
  await post('work/putBack', { id }, loser)
  expect((await post('work/take', { id }, winner)).code).toBe(200)
  const { token } = await anOperatorToken(deps, other.id, ['work.read'])
  expect((await post('work/take', { id }, { token })).code).toBe(5009)
  expect((await post('work/take', { id: 'complaint:none' })).status).toBe(404)
})

test('an item that waits for a second person says so, to its requester and to others', async () => {
  const [{ id }] = (await get('work', { view: 'large' })).rows
  const withdrawalNo = id.slice('withdrawal:'.length)
  await db.owner.query(
    `insert into backoffice_commands (no, name, subject, input, reason_code, reason, expects, preview, level, rules_version, needs, via, via_id, state, asked_by, asked_at, expires_at)
    values ('C20261122-0000000A', 'withdrawal.approve', $1, '{}', 'customerAsked', 'a reason of some length', '\\x00', '{"changes":[],"mails":{},"news":[],"rows":{},"result":{},"refusal":null}', 'second', 0, 1, 'session', 's', 'draft', $2, now(), now() + interval '72 hours')`,
    [`withdrawal:${withdrawalNo}`, finance.id],
  )
  await db.owner.query(`update backoffice_commands set state = 'waiting' where no = 'C20261122-0000000A'`)
  expect((await get('work/item', { id })).waiting).toMatchObject({ no: 'C20261122-0000000A', isOwn: true })
  expect((await get('work/item', { id }, other)).waiting).toMatchObject({ isOwn: false })
  expect([(await get('work/counts')).views.second, (await get('work/counts', {}, other)).views.second]).toEqual([0, 1])
  expect((await get('withdrawal', { withdrawalNo })).waiting).toBe('C20261122-0000000A')
})

test('a customer is found by id, mail or mobile number, and no contact is returned', async () => {
  const mobile = aMobile()
  const { userId } = await aUser(deps, { mobile })
  const asked = [user.userId, 'canary-desk@example.com', 'CANARY-desk', mobile, mobile.replace(/^\+86/, '')]
  const found = await Promise.all(asked.map(async (q) => (await get('customers', { q })).rows.map((row: any) => row.userId)))
  expect(found).toEqual([[user.userId], [user.userId], [user.userId], [userId], [userId]])
  expect((await get('find', { q: 'canary-d' })).hits).toMatchObject([{ kind: 'customer', id: user.userId }])
  const everything = JSON.stringify([
    await get('customer', { userId: user.userId }),
    await get('customers', {}),
    await get('work', {}),
    await get('find', { q: 'canary-d' }),
  ])
  expect(everything).not.toContain('canary-desk@example.com')
  expect(everything).not.toContain(mobile.slice(-8))
})

test('an operator who may not see contacts finds a customer by a whole contact only, never by its beginning', async () => {
  const auditor = await anOperator(deps, ['auditor'])
  const user = await aUser(deps, { email: 'spelled-out@bench.example' })
  for (const q of ['spelled', 'spelled-out@bench.exampl', 'spelled-out@bench.example']) {
    const isWhole = q.endsWith('example')
    const hits = (await get('find', { q }, auditor)).hits.map((hit: any) => hit.id)
    const rows = (await get('customers', { q }, auditor)).rows.map((row: any) => row.userId)
    expect([q, hits, rows]).toEqual([q, isWhole ? [user.userId] : [], isWhole ? [user.userId] : []])
    expect([q, (await get('find', { q })).hits.map((hit: any) => hit.id)]).toEqual([q, [user.userId]])
  }
  // A customer without a name is shown by a masked contact
  expect((await get('find', { q: 'spelled-out' })).hits[0].title).toBe('s***t@bench.example')
})

test('the balance is the sum of its lots, and what is available excludes its holds', async () => {
  const { balance, lots, lotsMore, holds } = await get('customer', { userId: user.userId })
  const made = sumNano([...lots.map(({ left }: any) => parseUsd(left)), parseUsd(lotsMore.left)])
  expect(made).toBe(parseUsd(balance.posted))
  expect(parseUsd(balance.posted) - sumNano(holds.map(({ amount }: any) => parseUsd(amount)))).toBe(parseUsd(balance.available))
  expect(balance).toMatchObject({ posted: '122.5', available: '102.5', granted: '2' })
})

test('pages of a customer’s timeline and ledger join without a gap', async () => {
  for (const path of ['customer/timeline', 'customer/ledger', 'customers', 'withdrawals']) {
    const input = path === 'customers' || path === 'withdrawals' ? {} : { userId: user.userId }
    const whole = await pages(path, input, 200)
    expect(whole.length).toBeGreaterThan(1)
    expect(await pages(path, input, 1)).toEqual(whole)
  }
  expect((await call('GET', '/operator/customer/timeline', { userId: user.userId, after: 'nonsense' }, { token: finance.token })).status).toBe(400)
})
