import { expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { storeMarks, hashMark } from '#features/risk/server/door.ts'
import { readBalance, readUnspentCredit, verifyLedger } from '#features/wallet/server/door.ts'
import { aPaidRechargeOrder, pressCashier } from '../builders.ts'
import { payments } from '../index.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { registerFirstDiscount } from '../kinds/discounts.ts'
import { grantedDays, userRefunds } from '../settings.ts'
import { createPayingApp, payingSignIn } from '../testing/paying.ts'

const app = await createPayingApp()
const { db, call, open, paid, check, stateOf } = app
const invited = new Set<string>()
registerFirstDiscount(async (_deps, _sql, userId) => (invited.has(userId) ? 2n * NANO_PER_USD : 0n))
const NIHAOPAY = { NIHAOPAY_TOKENS: 'a-token-of-the-test', NIHAOPAY_METHODS: 'unionpay' }
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_12345678', STRIPE_WEBHOOK_SECRETS: 'whsec_12345678', STRIPE_METHODS: 'card,wechat_pay' }
const newInvitedUser = () => {
  const userId = createId('user')
  invited.add(userId)
  return userId
}
const dollars = async (userId: string) => {
  const { purchasedUnspent, grantedUnspent } = await readBalance(db, userId)
  return [purchasedUnspent / NANO_PER_USD, grantedUnspent / NANO_PER_USD]
}
const quoteOf = async (userId: string, amount: string) => (await call('GET', '/v1/pay/quote', { orderType: 10, amount }, { token: userId })).data

test('20.00 less 2.00 costs 18.63, credits 18 purchased and 2 granted of that order, and nothing comes off the next one', async () => {
  const userId = newInvitedUser()
  expect(await quoteOf(userId, '20')).toMatchObject({ amount: '20', discount: '2', fee: '0.63', total: '18.63' })
  const { order, orderNo } = await paid({ userId })
  expect(order).toMatchObject({ amount: '20', discount: '2', fee: '0.63', total: '18.63' })
  expect(await dollars(userId)).toEqual([18n, 2n])
  expect(await readUnspentCredit(db, userId, { orderRef: orderNo })).toEqual({ purchased: 18n * NANO_PER_USD, granted: 2n * NANO_PER_USD })
  const next = await quoteOf(userId, '20')
  expect(next).toMatchObject({ amount: '20', total: '20.7' })
  expect(next.discount).toBeUndefined()
  expect((await paid({ userId })).order.discount).toBeUndefined()
  expect(await dollars(userId)).toEqual([38n, 2n])
})

test('a user who was not invited pays in full', async () => {
  const { order, userId } = await paid()
  expect(order).toMatchObject({ amount: '20', total: '20.7' })
  expect(await dollars(userId)).toEqual([20n, 0n])
})

test('a second order takes the discount over; money that still comes for the first is credited as late, without it', async () => {
  const userId = newInvitedUser()
  const first = await open({ userId })
  const second = await open({ userId })
  expect([first.order.discount, second.order.discount]).toEqual(['2', '2'])
  expect(await stateOf(first.orderNo)).toBe('cancelled')
  for (const one of [second, first]) {
    await pressCashier(one.params, 'silent')
    await check(one.orderNo)
  }
  expect(await dollars(userId)).toEqual([36n, 2n])
})

test('two orders settled at once give one discount', async () => {
  for (let round = 0; round < 5; round++) {
    const userId = newInvitedUser()
    const [first, second] = [await open({ userId }), await open({ userId })]
    for (const one of [first, second]) await pressCashier(one.params, 'silent')
    // The reconciler's next check settles the loser of the race.
    await Promise.allSettled([first, second].map((one) => check(one.orderNo)))
    for (const one of [first, second]) await check(one.orderNo)
    expect(await dollars(userId)).toEqual([36n, 2n])
  }
})

test('a refund takes the granted part back, and gives no second discount', async () => {
  const userId = newInvitedUser()
  const { orderNo } = await paid({ userId })
  await app.set(userRefunds, 'auto')
  const { data } = await call('POST', '/pay/refund', { orderNo, amount: '17' }, { token: userId, idempotencyKey: createId('key') })
  expect(data).toMatchObject({ amount: '17' })
  await app.dueNow()
  await workRefunds(app.deps)
  await app.hurry()
  await app.dueNow()
  await workRefunds(app.deps)
  expect(await stateOf(orderNo)).toBe('partially_refunded')
  expect(await dollars(userId)).toEqual([1n, 0n])
  expect((await quoteOf(userId, '20')).discount).toBeUndefined()
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('one person has one discount: a second account that the same payer pays for gets what was paid, and its order says so', async () => {
  const payer = createId('payer')
  const [first, second] = [newInvitedUser(), newInvitedUser()]
  expect((await aPaidRechargeOrder(app.deps, { userId: first, payer })).discount).toBe('2')
  expect((await quoteOf(second, '20')).discount).toBe('2')
  const order = await aPaidRechargeOrder(app.deps, { userId: second, payer })
  expect(order).toMatchObject({ state: 'fulfilled', amount: '18', fee: '0.63', total: '18.63', discountWithheld: '2' })
  expect(order.discount).toBeUndefined()
  expect([await dollars(first), await dollars(second)]).toEqual([
    [18n, 2n],
    [18n, 0n],
  ])
  const [told] = await db.query<{ amount: string }>(`select payload->>'amount' as amount from outbox where event = 'order.paid' and payload->>'orderNo' = $1`, [
    order.orderNo,
  ])
  expect(told!.amount).toBe('18')
  expect((await verifyLedger(db)).problems).toEqual([])

  // An account that shares a mailbox with one that had the discount is not offered it.
  const third = newInvitedUser()
  const mark = hashMark(app.deps, 'mailbox', `${payer}@example.com`)
  await transact(db, { kind: 'system', id: 'test' }, async (tx) => {
    for (const userId of [first, third]) await storeMarks(tx, userId, { marks: [mark], now: new Date() })
    await tx.audit('test.marked', 'user:test')
  })
  expect((await quoteOf(third, '20')).discount).toBeUndefined()
})

test('a hundred accounts without the discount leave it on offer; one more removes it, so that none can hide among them', async () => {
  const mark = hashMark(app.deps, 'mailbox', createId('mailbox'))
  const crowd = Array.from({ length: 101 }, newInvitedUser)
  for (const userId of crowd.slice(0, 100)) await storeMarks(db, userId, { marks: [mark], now: new Date() })
  expect((await quoteOf(crowd[0]!, '20')).discount).toBe('2')
  await storeMarks(db, crowd[100]!, { marks: [mark], now: new Date() })
  expect((await quoteOf(crowd[0]!, '20')).discount).toBeUndefined()
})

test('a channel that does not name its payer gives the discount only to users whose papers are known', async () => {
  const both = createTestApp({ features: [payments, payingSignIn], db, env: { ...NIHAOPAY, ...STRIPE } })
  const offered = async (userId: string) => {
    const get = async (path: string, input: object) => (await both.call('GET', path, { orderType: 10, ...input }, { token: userId })).data
    const rows = Map.groupBy(
      (await get('/v1/pay/channelList', {})) as { channelType: number; transactionType: number; discount?: string }[],
      ({ channelType }) => channelType,
    )
    const ask = { orderType: 10, amount: '20', channelType: 3, transactionType: 3, tradeFrom: 'QRCODE' }
    const made = await both.call('POST', '/api/go/v1/payOrder', ask, { token: userId, idempotencyKey: createId('key') })
    const ofStripe = Object.fromEntries(rows.get(2)!.map((row) => [row.transactionType, row.discount ?? '0']))
    expect(ofStripe).toEqual({ 5: '2', 2: made.data.discount ?? '0' })
    return [rows.get(25)?.[0]?.discount, rows.get(3)?.[0]?.discount, (await get('/v1/pay/quote', { channelType: 3 })).discount, made.data.discount]
  }
  const userId = newInvitedUser()
  expect(await offered(userId)).toEqual(['2', undefined, undefined, undefined])
  await storeMarks(db, userId, { marks: [hashMark(app.deps, 'person', createId('papers'))], now: new Date() })
  expect(await offered(userId)).toEqual(['2', '2', '2', '2'])
})

test('two accounts of one payer that settle at once get one discount', async () => {
  for (let round = 0; round < 5; round++) {
    const payer = createId('payer')
    const opened = [await open({ userId: newInvitedUser() }), await open({ userId: newInvitedUser() })]
    for (const one of opened) await pressCashier(one.params, 'silent', payer)
    await Promise.all(opened.map((one) => check(one.orderNo)))
    const given = await Promise.all(opened.map(async ({ userId }) => (await dollars(userId))[1]))
    expect(given.toSorted()).toEqual([0n, 2n])
  }
})

test('the figures of a discounted order are frozen', async () => {
  const { orderNo } = await open({ userId: newInvitedUser() })
  await expect(db.query('update payments_orders set discount_nano = 0 where order_no = $1', [orderNo])).rejects.toThrow('frozen')
})

test('credit given with a top-up expires as the setting says, bought credit never', async () => {
  const userId = newInvitedUser()
  await app.set(grantedDays, 30)
  await paid({ userId })
  await app.set(grantedDays, 0)
  const lots = await db.owner.query<{ kind: string; days: number | null }>(
    `select l.kind, round(extract(epoch from l.expires_at - l.created_at) / 86400)::int as days from wallet_lots l join wallet_accounts a on a.id = l.account_id
    where a.owner = $1 order by l.kind`,
    [`user:${userId}`],
  )
  expect(lots).toEqual([
    { kind: 'granted', days: 30 },
    { kind: 'purchased', days: null },
  ])
})
