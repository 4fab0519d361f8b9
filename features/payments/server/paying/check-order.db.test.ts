import { afterAll, describe, expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { makeRowsDue, useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { CHANNEL_METHOD_NAMES } from '../../contract-methods.ts'
import { anOpenOrder, aPaidRechargeOrder, pressCashier } from '../builders.ts'
import type { TestOrderOptions } from '../builders.ts'
import { payments } from '../index.ts'
import { channelSandboxJobs } from '../vendors/index.ts'
import { payParam } from './pay-param.ts'
import { reconcile } from '../reconciling/reconcile.ts'

const db = await useTestDb({ max: 60 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
let url = ''
const { app, call, deps } = createTestApp({ features: [payments, signIn], db, overrides: { publicUrl: () => url } })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})

const open = async (wish: TestOrderOptions = {}) => {
  const opened = await anOpenOrder(deps, wish)
  return { ...opened, userId: opened.ctx.userId, orderNo: opened.order.orderNo }
}
/** Makes the sandbox send due notices; its schedule is brought forward so that no test waits. */
const deliver = async () => {
  await makeRowsDue(db, 'payments_sandbox_notices', { column: 'due_at', where: 'done_at is null' })
  for (const job of channelSandboxJobs) await job.handle(deps, {})
}
const dueNow = () => makeRowsDue(db.owner, 'payments_orders', { column: 'next_check_at' })
const order = async (orderNo: string) =>
  (await db.query<{ state: string; nextCheckAt: Date | null }>('select state, next_check_at from payments_orders where order_no = $1', [orderNo]))[0]!
const balance = async (userId: string) => (await readBalance(db, userId)).available
const news = async (orderNo: string) =>
  (await db.query<{ event: string }>(`select event from outbox where payload->>'orderNo' = $1 order by id`, [orderNo])).map((row) => row.event)
const endIn = async (orderNo: string, seconds: number) => {
  await db.owner.query('update payments_orders set expires_at = now() + make_interval(secs => $2) where order_no = $1', [orderNo, seconds])
  await db.query('update payments_sandbox_trades set expires_at = now() + make_interval(secs => $2) where trade_no like $1', [`${orderNo}%`, seconds])
}

test('an order that is scanned and paid is credited once after its signed notice, and reported', async () => {
  const { params, orderNo, userId } = await open()
  expect(await (await fetch(params.payUrl)).text()).toContain('¥147.45')
  await deliver()
  expect((await call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token: userId })).data).toMatchObject({
    payStatus: 0,
    state: 'paying',
    scanned: true,
  })
  await pressCashier(params, 'pay')
  await deliver()
  expect((await call('POST', '/v1/pay/tradeStatus', { orderNo }, { token: userId })).data).toMatchObject({
    payStatus: 1,
    state: 'fulfilled',
    balance: '20',
    amount: '20',
    fee: '0.7',
    total: '20.7',
    payAmount: '147.45',
  })
  expect(await news(orderNo)).toEqual(['order.paid'])
  expect(
    (
      await db.query('select from_state, to_state from payments_order_steps s join payments_orders o on o.id = s.order_id where order_no = $1 order by s.id', [
        orderNo,
      ])
    ).map((step) => `${step['fromState']}>${step['toState']}`),
  ).toEqual(['null>created', 'created>paying', 'paying>paid', 'paid>fulfilled'])
  const legs = await db.query(
    `select credit_kind, amount from wallet_transfers t join wallet_transactions w on w.id = t.transaction_id where w.ref = $1 order by t.id`,
    [`order:${orderNo}`],
  )
  expect(legs).toEqual([
    { creditKind: 'customer', amount: parseUsd('20') },
    { creditKind: 'fees', amount: parseUsd('0.7') },
  ])
})

describe('P1: paid late is never lost', () => {
  for (const [name, seconds] of [
    ['5 s before the end', 5],
    ['at the end', 0],
    ['1 s after', -1],
    ['1 h after', -3600],
    ['24 h after', -86_400],
  ] as const) {
    for (const by of ['notice', 'reconciler'] as const) {
      test(`${name}, by ${by}`, async () => {
        const { params, orderNo, userId } = await open()
        await endIn(orderNo, seconds)
        await dueNow()
        if (seconds <= 0) await reconcile(deps)
        expect((await order(orderNo)).state).toBe(seconds <= 0 ? 'expired' : 'paying')
        await pressCashier(params, seconds <= 0 ? 'late' : 'silent')
        if (by === 'notice' && seconds <= 0) await deliver()
        else {
          await dueNow()
          await reconcile(deps)
        }
        expect([(await order(orderNo)).state, await balance(userId)]).toEqual([seconds <= 0 ? 'paid_late' : 'fulfilled', parseUsd('20')])
        expect(await news(orderNo)).toEqual([seconds <= 0 ? 'order.paid_late' : 'order.paid'])
      })
    }
  }
  test('a payment after the user cancelled is credited', async () => {
    const { params, orderNo, userId } = await open()
    expect((await call('POST', '/v1/pay/cancel', { orderNo }, { token: userId })).data).toMatchObject({ state: 'cancelled', payStatus: 2 })
    expect((await call('POST', '/v1/pay/cancel', { orderNo }, { token: userId })).code).toBe(200)
    await pressCashier(params, 'pay')
    await deliver()
    expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['paid_late', parseUsd('20')])
    expect((await call('POST', '/v1/pay/cancel', { orderNo }, { token: userId })).code).toBe(3103)
  })
})

describe('P2: paid twice', () => {
  test('two payments on one trade are both credited, the second with a record of its own', async () => {
    const { params, orderNo, userId } = await open()
    await pressCashier(params, 'twice')
    await deliver()
    expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['fulfilled', parseUsd('40')])
    expect(await news(orderNo)).toEqual(['order.paid', 'order.paid_again'])
  })
  test('payments on two methods at once are both credited', async () => {
    for (let i = 0; i < 8; i++) {
      const { ctx, params, orderNo, userId } = await open()
      const second = await payParam(ctx, { order_id: orderNo, channelType: 25, transactionType: 4, tradeFrom: 'QRCODE' })
      await Promise.all([pressCashier(params, 'pay'), pressCashier(second, 'pay')])
      await Promise.all([deliver(), deliver(), call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token: userId })])
      expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['fulfilled', parseUsd('40')])
      const outcomes = await db.query(
        `select outcome from payments_receipts r join payments_orders o on o.id = r.order_id where order_no = $1 order by outcome`,
        [orderNo],
      )
      expect(outcomes).toEqual([{ outcome: 'again' }, { outcome: 'credited' }])
    }
  })
  test('a wrong amount, then the right one, is credited as late', async () => {
    const { ctx, params, orderNo, userId } = await open()
    await pressCashier(params, 'less')
    await deliver()
    expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['integrity_failure', 0n])
    await db.owner.query(
      `insert into payments_attempts (order_id, channel_type, transaction_type, trade_from, trade_no, state) select id, 25, 1, 'QRCODE', order_no || '-other', 'dispatched' from payments_orders where order_no = $1`,
      [orderNo],
    )
    const other = await anOpenOrder(deps, { userId })
    await db.query(`update payments_sandbox_trades set trade_no = $1 where trade_no like $2`, [`${orderNo}-other`, `${other.order.orderNo}%`])
    await pressCashier(other.params, 'silent')
    await dueNow()
    await reconcile(deps)
    expect([(await order(orderNo)).state, await balance(ctx.userId)]).toEqual(['paid_late', parseUsd('20')])
  })
})

test('P5: not found is not the end while it can still be paid', async () => {
  const { params, orderNo, userId } = await open({ amount: '20.18' })
  for (let i = 0; i < 3; i++) {
    await dueNow()
    await reconcile(deps)
    expect((await order(orderNo)).state).toBe('paying')
  }
  await pressCashier(params, 'silent')
  await dueNow()
  await reconcile(deps)
  expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['fulfilled', parseUsd('20.18')])
})

test('P8: return page, dialog, stranger, notices and reconciler at once give one credit', async () => {
  const opened = await Promise.all(Array.from({ length: 15 }, () => open()))
  for (const { params, orderNo, userId } of opened) {
    await pressCashier(params, 'pay')
    await dueNow()
    await Promise.all([
      call('POST', '/v1/pay/tradeStatus', { orderNo }, { token: userId }),
      call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token: userId }),
      call('POST', '/v1/unAuth/order/tradeStatus', { orderNo }),
      deliver(),
      deliver(),
      reconcile(deps),
      reconcile(deps),
    ])
    expect([(await order(orderNo)).state, await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
    expect(await news(orderNo)).toEqual(['order.paid'])
  }
})

test('magic inputs play a bad signature first, a notice twice, a late payment and a decline', async () => {
  const probe = await open({ amount: '20.15' })
  await pressCashier(probe.params, 'pay')
  await deliver()
  expect(await balance(probe.userId)).toBe(parseUsd('20.15'))
  const twice = await open({ amount: '20.14' })
  await pressCashier(twice.params, 'pay')
  await deliver()
  expect(await balance(twice.userId)).toBe(parseUsd('20.14'))
  const late = await open({ amount: '20.19' })
  await pressCashier(late.params, 'pay')
  await endIn(late.orderNo, -5)
  await makeRowsDue(db, 'payments_sandbox_trades', { column: 'pay_due_at' })
  await deliver()
  await deliver()
  expect([(await order(late.orderNo)).state, await balance(late.userId)]).toEqual(['paid_late', parseUsd('20.19')])
  const declined = await open({ amount: '20.11' })
  await pressCashier(declined.params, 'pay')
  await deliver()
  expect((await call('POST', '/api/go/v1/payStatus', { order_id: declined.orderNo }, { token: declined.userId })).data).toMatchObject({
    state: 'paying',
    declined: true,
  })
})

test('I11: every order that is not over has a next look, and a channel that cannot be asked keeps it open', async () => {
  expect(await db.query(`select 1 as bad from payments_orders where next_check_at is null and state in ('created','paying','unknown')`)).toEqual([])
  const { orderNo } = await open()
  await endIn(orderNo, -1)
  await dueNow()
  const kept = url
  url = 'http://127.0.0.1:1'
  await reconcile(deps)
  url = kept
  const still = await order(orderNo)
  expect(still.state).toBe('paying')
  expect(still.nextCheckAt!.getTime() - Date.now()).toBeLessThan(300_000)
})

test('the channel is queried seldom, whatever the number of polls', async () => {
  const { orderNo, userId } = await open()
  await Promise.all(Array.from({ length: 20 }, () => call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token: userId })))
  const before = (await db.query<{ askedAt: Date }>('select asked_at from payments_orders where order_no = $1', [orderNo]))[0]!.askedAt
  await call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token: userId })
  expect((await db.query<{ askedAt: Date }>('select asked_at from payments_orders where order_no = $1', [orderNo]))[0]!.askedAt).toEqual(before)
})

describe('records and quotes', () => {
  test('records are the user’s own, newest first, by page; strangers learn only whether an order is paid', async () => {
    const userId = createId('user')
    const paid = await aPaidRechargeOrder(deps, { userId, amount: '5' })
    const openOrder = await open({ userId, amount: '10' })
    const { data } = await call('GET', '/user/orderRecords', { pageNum: 1, pageSize: 1 }, { token: userId })
    expect(data).toMatchObject({
      totalRecord: 2,
      totalPage: 2,
      rowList: [{ orderNo: openOrder.orderNo, orderType: 1, payType: 1, orderAmount: '10', fee: '0.35', payStatus: 0, payable: true, successTime: null }],
    })
    const second = (await call('GET', '/user/orderRecords', { pageNum: 2, pageSize: 1 }, { token: userId })).data
    expect(second.rowList).toMatchObject([{ orderNo: paid.orderNo, payStatus: 1, payable: false, payAmount: '36.90', rate: '7.1230' }])
    expect((await call('GET', '/user/orderRecords', {}, { token: createId('user') })).data).toMatchObject({ totalRecord: 0, rowList: [] })
    expect((await call('GET', '/user/orderRecords')).status).toBe(401)
    const stranger = await call('POST', '/v1/unAuth/order/tradeStatus', { orderNo: paid.orderNo })
    expect(stranger.data).toEqual({ orderNo: `${paid.orderNo.slice(0, 9)}····${paid.orderNo.slice(-4)}`, payStatus: 1 })
    for (const path of ['/v1/pay/tradeStatus', '/v1/pay/cancel'])
      expect((await call('POST', path, { orderNo: paid.orderNo }, { token: createId('user') })).code).toBe(3101)
    expect((await call('POST', '/api/go/v1/payStatus', { order_id: paid.orderNo }, { token: createId('user') })).code).toBe(3101)
  })
  test('quote, channels, fee, rate, icon', async () => {
    const token = createId('user')
    expect((await call('GET', '/v1/pay/quote', { amount: '20' }, { token })).data).toEqual({
      orderType: 10,
      channelType: 25,
      amount: '20',
      fee: '0.7',
      total: '20.7',
      payAmount: '147.45',
      payCurrency: 'CNY',
      feePercent: '3.5',
      fixedFee: '0',
      rate: '7.1230',
      min: '5',
      max: '400',
      presets: ['5', '10', '20'],
    })
    expect((await call('GET', '/v1/pay/quote', {}, { token })).data).toMatchObject({ amount: null, payAmount: null, presets: ['5', '10', '20'] })
    expect((await call('GET', '/v1/pay/quote', { amount: '1' }, { token })).code).toBe(3105)
    const desktop = (await call('GET', '/v1/pay/channelList', { orderType: 10, orderAmount: '20' }, { token, lang: 'en' })).data
    expect(desktop.map((row: { name: string; form: string; tradeFrom: string }) => [row.name, row.form, row.tradeFrom]).slice(0, 5)).toEqual([
      ['Alipay', 'qr', 'QRCODE'],
      ['WeChat Pay', 'qr', 'QRCODE'],
      ['UnionPay', 'form', 'QRCODE'],
      ['AlipayHK', 'qr', 'QRCODE'],
      ['Card', 'redirect', 'QRCODE'],
    ])
    expect(desktop).toHaveLength(CHANNEL_METHOD_NAMES.length)
    const phone = (await call('GET', '/v1/pay/channelList', { orderType: 10, orderAmount: '1' }, { token, headers: { clienttype: '2' } })).data
    expect(phone.every((row: { tradeFrom: string; disabled: boolean }) => row.tradeFrom === 'H5' && row.disabled)).toBe(true)
    expect((await call('POST', '/v1/pay/rechargeFee', { channelType: 25 }, { token })).data).toEqual({ fee: '0.035' })
    expect((await call('GET', '/common/exchangeRate')).data).toEqual({ from: 'USD', to: 'CNY', rate: '7.1230' })
    const icon = await fetch(`${url}${desktop[0].img}`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect((await fetch(`${url}/pay/icons/nobody-1.svg`)).status).toBe(404)
  })
  test('production refuses to start with a sandbox that was not allowed by name', () => {
    const lacks = (config: Record<string, unknown>) =>
      payments.missing!({ ...deps.config, ...config } as typeof deps.config, new Set(['api'])).map(({ problem }) => problem.includes('ALLOW_SANDBOX=payment'))
    expect([lacks({ STAGE: 'production' }), lacks({ STAGE: 'production', ALLOW_SANDBOX: ['mail'] })]).toEqual([[true], [true]])
    expect([lacks({ STAGE: 'production', ALLOW_SANDBOX: ['mail', 'payment'] }), lacks({ STAGE: 'development' })]).toEqual([[], []])
  })
})

test("afterwards the sandbox's own book equals ours, and the ledger adds up", async () => {
  await dueNow()
  await reconcile(deps)
  const differences = await db.query(`select p.txn, r.channel_txn from payments_sandbox_payments p full join payments_receipts r
    on r.channel_txn = p.txn and r.paid_minor = p.minor and r.currency = p.currency and r.channel_type = 25 where p.txn is null or r.id is null`)
  expect(differences).toEqual([])
  expect(await db.query(`select r.ledger_ref from payments_receipts r left join wallet_transactions w on w.ref = r.ledger_ref where w.id is null`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
