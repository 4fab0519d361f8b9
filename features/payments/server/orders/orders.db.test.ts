import { describe, expect, test } from 'vitest'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { creditUser, verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { registerOrderKind } from '../kinds/index.ts'
import type { OrderKind, SoldOrder } from '../kinds/port.ts'
import { runInBatches, samplePermutations } from '../testing/counts.ts'
import { createPayingApp } from '../testing/paying.ts'
import { createChannelTools } from '../vendors/index.ts'
import { MERCHANT, NOTICE_KEYS, sealed } from '../vendors/sandbox/envelope.ts'
import { abandonOrder, completeOrder } from '../paying/deliver-order.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { refundOrder } from './repair-order.ts'
import { balancePassword, closedChannels } from '../settings.ts'

const app = await createPayingApp()
await app.set(balancePassword, false)
const { db, deps, call, open, paid, check, hurry, dueNow, stateOf, balance, news, operator } = app

/** A service that sets its price and has a limited stock, held by a guarded statement; and one that delivers later. */
await db.owner.query('create table test_stock (service text primary key, had int not null check (had >= 0))')
await db.owner.query('grant select, insert, update on test_stock to mingxi_app')
const undone: string[] = []
const shop: OrderKind = {
  orderType: 9,
  earns: 'service',
  amounts: 'own',
  price: async () => '7.50',
  fulfil: async (tx, { wishes }) => {
    if (wishes.service === 'later') return 'later'
    return (await tx.query('update test_stock set had = had - 1 where service = $1 and had > 0 returning 1 as sold', [wishes.service])).length
      ? 'done'
      : 'impossible'
  },
  undo: async (_tx: unknown, order: SoldOrder) => void undone.push(order.orderNo),
}
registerOrderKind(shop)
const stock = (service: string, had: number) =>
  db.owner.query('insert into test_stock values ($1,$2) on conflict (service) do update set had = $2', [service, had])
const left = async (service: string) => (await db.query<{ had: number }>('select had from test_stock where service = $1', [service]))[0]!.had
const fund = async (amount: string) => {
  const userId = createId('user')
  await transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd(amount), from: 'wash', ref: createId('fund') }))
  return userId
}
const buy = (userId: string, service: string, key: string = crypto.randomUUID()) =>
  call('POST', '/v1/pay/balancePay', { orderType: 9, service }, { token: userId, idempotencyKey: key })
const work = async () => {
  await dueNow()
  await workRefunds(deps)
}

describe('order types', () => {
  test('an order type without a service is closed, and a type has one service', async () => {
    const token = createId('user')
    for (const orderType of [0, 1, 8, 15])
      expect((await call('POST', '/api/go/v1/payOrder', { orderType, amount: '20' }, { token, idempotencyKey: createId('k') })).code).toBe(3104)
    expect(() => registerOrderKind({ ...shop })).toThrow('has its service already')
    expect((await call('POST', '/api/go/v1/payOrder', { orderType: 10 }, { token, idempotencyKey: createId('k') })).status).toBe(400)
  })

  test('a service paid over a channel has its own price, is our income and is delivered; its refund undoes it', async () => {
    await stock('a', 5)
    const token = createId('user')
    const pay = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
    const make = await call('POST', '/api/go/v1/payOrder', { orderType: 9, amount: '1', service: 'a', ...pay }, { token, idempotencyKey: createId('k') })
    expect(make.data).toMatchObject({ amount: '7.5', orderType: 9 })
    const { orderNo } = make.data
    const params = (await call('POST', '/api/go/v1/payParam', { order_id: orderNo, ...pay }, { token })).data
    await pressCashier(params, 'silent')
    await check(orderNo)
    expect([await stateOf(orderNo), await balance(token), await left('a')]).toEqual(['fulfilled', 0n, 4])
    // Purchased, not topped up.
    expect((await call('GET', '/user/orderRecords', {}, { token })).data.rowList).toMatchObject([{ orderNo, orderType: 3 }])
    expect((await call('GET', '/user/orderRecords', { orderType: 1 }, { token })).data.rowList).toEqual([])
    expect((await call('POST', '/pay/refund', { orderNo }, { token, idempotencyKey: createId('k') })).code).toBe(3117)
    await refundOrder(deps, operator, { orderNo, withFee: true, reason: 'broken' })
    await work()
    expect([await stateOf(orderNo), await balance(token), undone]).toEqual(['refunded', 0n, [orderNo]])
  })

  test('the record’s rows and its filter call each order type alike, and only top-ups of the balance recharges', async () => {
    const token = createId('user')
    for (let orderType = 0; orderType <= 15; orderType++) {
      const { orderNo } = await open({ userId: token })
      // A trigger freezes the type; without it each of the sixteen would need a registered service.
      await db.owner.query(
        `begin; set local session_replication_role = replica; update payments_orders set order_type = ${orderType} where order_no = '${orderNo}'; commit`,
      )
    }
    const types = new Map(
      (await db.query<{ orderNo: string; orderType: number }>('select order_no, order_type from payments_orders where user_id = $1', [token])).map((row) => [
        row.orderNo,
        row.orderType,
      ]),
    )
    const page = async (filter: object) => {
      const { data } = await call('GET', '/user/orderRecords', { pageSize: 50, ...filter }, { token })
      return (data.rowList as { orderNo: string; orderType: number }[]).map(({ orderNo, orderType }) => ({ orderType, bought: types.get(orderNo)! }))
    }
    const all = await page({})
    expect(all.filter(({ orderType }) => orderType === 1)).toEqual([{ orderType: 1, bought: 10 }])
    expect(all.filter(({ orderType }) => orderType === 3)).toHaveLength(15)
    for (const orderType of [1, 3]) expect(await page({ orderType })).toEqual(all.filter((row) => row.orderType === orderType))
  })

  test('a refusal that neither the contract nor the kind declares is an error, not an answer', async () => {
    registerOrderKind({ ...shop, orderType: 8, refusals: ['ORDER_SOLD_OUT'], price: async () => fail('CHANNEL_OTHER_FEE') })
    const token = createId('user')
    expect((await call('POST', '/api/go/v1/payOrder', { orderType: 8 }, { token, idempotencyKey: createId('k') })).status).toBe(500)
  })

  test('a late payment for a sold-out item issues nothing, and all of the money goes back', async () => {
    await stock('b', 0)
    const token = createId('user')
    const pay = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
    const { orderNo } = (await call('POST', '/api/go/v1/payOrder', { orderType: 9, service: 'b', ...pay }, { token, idempotencyKey: createId('k') })).data
    const params = (await call('POST', '/api/go/v1/payParam', { order_id: orderNo, ...pay }, { token })).data
    await call('POST', '/v1/pay/cancel', { orderNo }, { token })
    await pressCashier(params, 'silent')
    await check(orderNo)
    expect(await stateOf(orderNo)).toBe('refunding')
    await work()
    const [back] = await db.query<{ minor: bigint; payMinor: bigint }>(
      'select f.minor, o.pay_minor from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1',
      [orderNo],
    )
    expect([await stateOf(orderNo), await left('b'), back!.minor]).toEqual(['refunded', 0, back!.payMinor])
  })

  test('an order delivered later waits as paid, then is completed once, or given up and refunded', async () => {
    const userId = await fund('15')
    const first = (await buy(userId, 'later')).data.orderNo
    const second = (await buy(userId, 'later')).data.orderNo
    expect([await stateOf(first), await balance(userId)]).toEqual(['paid', 0n])
    await transact(db, operator, (tx) => completeOrder(tx, first))
    await transact(db, operator, (tx) => completeOrder(tx, first))
    await transact(db, operator, (tx) => abandonOrder(deps, tx, { orderNo: first, reason: 'too late' }))
    await transact(db, operator, (tx) => abandonOrder(deps, tx, { orderNo: second, reason: 'the supplier has none' }))
    await transact(db, operator, (tx) => abandonOrder(deps, tx, { orderNo: second, reason: 'again' }))
    expect([await stateOf(first), await stateOf(second), await balance(userId)]).toEqual(['fulfilled', 'refunded', parseUsd('7.5')])
  })
})

describe('from the balance', () => {
  test('a balance payment pays and delivers in one step without a fee, never goes below zero, and a key keeps its answer', async () => {
    await stock('c', 10)
    const userId = await fund('8')
    const bought = await buy(userId, 'c')
    expect(bought.data).toMatchObject({ state: 'fulfilled', payStatus: 1, fee: '0', total: '7.5', payCurrency: 'USD', transactionType: 0, balance: '0.5' })
    const key = createId('key')
    expect(await buy(userId, 'c', key)).toMatchObject({ code: 3113, data: { missing: '7' } })
    await transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd('20'), from: 'wash', ref: createId('fund') }))
    // K6: a refusal is permanent for its key; another key is a new attempt.
    expect((await buy(userId, 'c', key)).code).toBe(3113)
    expect((await buy(userId, 'c')).data.balance).toBe('13')
    expect(await left('c')).toBe(8)
    expect((await db.query('select 1 from payments_orders where user_id = $1', [userId])).length).toBe(2)
  })

  test('a top-up cannot be paid from the balance that it fills, and an order of a channel not from the balance', async () => {
    const userId = await fund('50')
    expect((await call('POST', '/v1/pay/balancePay', { orderType: 10, amount: '20' }, { token: userId, idempotencyKey: createId('k') })).code).toBe(3114)
    const other = await open({ userId })
    expect((await call('POST', '/v1/pay/balancePay', { orderNo: other.orderNo }, { token: userId, idempotencyKey: createId('k') })).code).toBe(3114)
    expect((await call('POST', '/v1/pay/balancePay', { orderNo: other.orderNo }, { token: 'stranger', idempotencyKey: createId('k') })).code).toBe(3101)
    const made = await call('POST', '/api/go/v1/payOrder', { orderType: 9, service: 'later', channelType: 5 }, { token: userId, idempotencyKey: createId('k') })
    expect(made.data).toMatchObject({ channelType: 5, transactionType: 0, state: 'created' })
    const pay = () => call('POST', '/v1/pay/balancePay', { orderNo: made.data.orderNo }, { token: userId, idempotencyKey: createId('k') })
    // K8: two browser tabs at once.
    const both = await Promise.all([pay(), pay()])
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 3102])
    expect(await balance(userId)).toBe(parseUsd('42.5'))
    expect(
      (await call('POST', '/api/go/v1/payParam', { order_id: made.data.orderNo, channelType: 5, transactionType: 1, tradeFrom: 'QRCODE' }, { token: userId }))
        .code,
    ).not.toBe(200)
  })

  test('an existing balance is offered where the order type takes it: first when it is enough, last with what is missing', async () => {
    const rows = async (token: string, input: object) => (await call('GET', '/v1/pay/channelList', input, { token })).data as { channelType: number }[]
    const userId = await fund('8')
    const enough = await rows(userId, { orderType: 9, orderAmount: '7.5' })
    expect(enough[0]).toMatchObject({
      channelType: 5,
      transactionType: 0,
      form: 'balance',
      feePercent: '0',
      fixedFee: '0',
      payCurrency: 'USD',
      balance: '8',
      missing: '0',
      disabled: false,
    })
    const [{ channelType, transactionType, tradeFrom }] = enough as [{ channelType: number; transactionType: number; tradeFrom: string }]
    const wish = { orderType: 9, service: 'later', channelType, transactionType, tradeFrom }
    const made = (await call('POST', '/api/go/v1/payOrder', wish, { token: userId, idempotencyKey: createId('k') })).data
    expect(made).toMatchObject({ channelType: 5, transactionType: 0, state: 'created', fee: '0' })
    expect((await call('POST', '/api/go/v1/payOrder', { ...wish, channelType: 25 }, { token: userId, idempotencyKey: createId('k') })).code).toBe(3107)
    const short = await rows(userId, { orderType: 9, orderAmount: '10.25' })
    expect(short.at(-1)).toMatchObject({ channelType: 5, missing: '2.25', disabled: true })
    expect(short.filter(({ channelType }) => channelType === 5)).toHaveLength(1)
    const nowhere = [await rows(userId, { orderType: 10, orderAmount: '20' }), await rows(createId('user'), { orderType: 9 })]
    for (const list of nowhere) expect(list.some(({ channelType }) => channelType === 5)).toBe(false)
    expect((await call('GET', '/v1/pay/quote', { orderType: 9, amount: '10.25', channelType: 5 }, { token: userId })).data).toMatchObject({
      fee: '0',
      total: '10.25',
      payAmount: '10.25',
      payCurrency: 'USD',
    })
    expect((await call('GET', '/v1/pay/quote', { orderType: 10, amount: '20', channelType: 5 }, { token: userId })).code).toBe(3114)
    await app.set(closedChannels, ['5'])
    expect((await rows(userId, { orderType: 9 })).some(({ channelType }) => channelType === 5)).toBe(false)
    await stock('closed', 1)
    expect((await buy(userId, 'closed')).code).toBe(3114)
    await app.set(closedChannels, [])
    expect((await fetch(`${app.url()}/pay/icons/balance-0.svg`)).status).toBe(200)
  })

  test('a balance payment without a payment password, or before one is set, pays nothing', async () => {
    await app.set(balancePassword, true)
    const userId = await fund('8')
    await stock('locked', 1)
    expect((await buy(userId, 'locked')).status).toBe(400)
    const guess = { orderType: 9, service: 'locked', payPassword: '271828' }
    expect((await call('POST', '/v1/pay/balancePay', guess, { token: userId, idempotencyKey: createId('k') })).code).toBe(1030)
    expect([await left('locked'), await balance(userId)]).toEqual([1, parseUsd('8')])
    await app.set(balancePassword, false)
  })

  test('P6: a hundred racers for ten pieces buy ten, and no other racer is charged', async () => {
    await stock('d', 10)
    const racers = await Promise.all(Array.from({ length: 100 }, () => fund('7.5')))
    // Run in batches of fifty: settings use the same connections here, and a full pool would deadlock.
    const answers = [
      ...(await Promise.all(racers.slice(0, 50).map((userId) => buy(userId, 'd')))),
      ...(await Promise.all(racers.slice(50).map((userId) => buy(userId, 'd')))),
    ]
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(10)
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200, 3118]))
    expect(await left('d')).toBe(0)
    const balances = await Promise.all(racers.map(balance))
    expect(balances.filter((each) => each === 0n)).toHaveLength(10)
    expect(balances.filter((each) => each === parseUsd('7.5'))).toHaveLength(90)
  })

  test('P7: paying and refunding at once never goes below zero and never refunds twice', async () => {
    await stock('e', 10_000)
    for (let round = 0; round < chooseRounds(25, 500); round++) {
      const userId = await fund('15')
      const { orderNo } = (await buy(userId, 'e')).data
      const give = () =>
        refundOrder(deps, operator, { orderNo, reason: 'race' }).then(
          () => 1,
          () => 0,
        )
      const [, , ...given] = await Promise.all([buy(userId, 'e'), buy(userId, 'e'), give(), give(), give()])
      expect(given.reduce<number>((all, each) => all + (each as number), 0)).toBe(1)
      expect(await stateOf(orderNo)).toBe('refunded')
      const [{ n }] = (await db.query<{ n: number }>(`select count(*)::int as n from payments_orders where user_id = $1 and state = 'fulfilled'`, [
        userId,
      ])) as [{ n: number }]
      expect(await balance(userId)).toBe(parseUsd('15') - BigInt(n) * parseUsd('7.5'))
    }
  })
})

describe('the list and the page of an order', () => {
  test('the list has filters, keyset pages, the last four and days of Shanghai, and only the user’s own orders', async () => {
    const userId = createId('user')
    const orders = []
    for (let i = 0; i < 5; i++) orders.push(await open({ userId }))
    const done = await paid({ userId, amount: '6' })
    const list = async (input: object) => (await call('GET', '/v1/pay/orderList', input, { token: userId })).data
    const first = await list({ pageSize: 4 })
    expect(first.rowList).toHaveLength(4)
    expect(first.rowList[0]).toMatchObject({ orderNo: done.orderNo, title: 'API 余额充值', refunded: '0', payable: false, state: 'fulfilled' })
    const second = await list({ pageSize: 4, cursor: first.nextCursor })
    expect([second.rowList.length, second.nextCursor]).toEqual([2, null])
    expect(new Set([...first.rowList, ...second.rowList].map((row: { orderNo: string }) => row.orderNo)).size).toBe(6)
    expect((await list({ status: 'paid' })).rowList.map((row: { orderNo: string }) => row.orderNo)).toEqual([done.orderNo])
    expect((await list({ status: 'open' })).rowList).toHaveLength(5)
    expect((await list({ last4: done.orderNo.slice(-4).toLowerCase() })).rowList.map((row: { orderNo: string }) => row.orderNo)).toEqual([done.orderNo])
    expect((await list({ orderType: 9 })).rowList).toEqual([])
    await db.owner.query(`alter table payments_orders disable trigger payments_guard_order`)
    await db.owner.query(`update payments_orders set created_at = '2026-03-01T16:30:00Z' where order_no = $1`, [orders[0]!.orderNo])
    await db.owner.query(`alter table payments_orders enable trigger payments_guard_order`)
    expect((await list({ from: '2026-03-02', to: '2026-03-02' })).rowList).toHaveLength(1)
    expect((await list({ from: '2026-03-01', to: '2026-03-01' })).rowList).toEqual([])
    expect((await call('GET', '/v1/pay/orderList', {}, { token: createId('user') })).data.rowList).toEqual([])
    expect((await call('GET', '/v1/pay/orderDetail', { orderNo: done.orderNo }, { token: createId('user') })).code).toBe(3101)
  })
  test('the page offers pay and cancel, then refund, receipt and again', async () => {
    const waiting = await open()
    const detail = async (orderNo: string, token: string) => (await call('GET', '/v1/pay/orderDetail', { orderNo }, { token, lang: 'en' })).data
    expect(await detail(waiting.orderNo, waiting.userId)).toMatchObject({
      can: { pay: true, cancel: true, receipt: false, refund: null, keep: '1', again: false },
      payments: [],
    })
    const done = await paid()
    // The payment time is the same on the order, in the lists and on its receipt.
    const { order, payments } = await detail(done.orderNo, done.userId)
    expect(order.successTime).toBe(payments[0].paidTime)
    expect(await detail(done.orderNo, done.userId)).toMatchObject({
      order: { title: 'API top-up' },
      can: { pay: false, cancel: false, receipt: true, refund: '19', keep: '1', again: true },
      payments: [{ payAmount: '147.45', payCurrency: 'CNY', transactionType: 1, outcome: 'credited' }],
      timeline: [
        { event: 'created', facts: { by: 'user' } },
        { event: 'opened' },
        { event: 'paid', facts: { payAmount: '147.45', by: 'system' } },
        { event: 'fulfilled' },
      ],
    })
  })
})

test('W2: every order of paid, scanned, declined, refund, refund and dispute leads to the same end', async () => {
  const events = ['trade.paid', 'trade.scanned', 'trade.declined', 'trade.refunded:0', 'trade.refunded:1', 'trade.disputed']
  const { secret } = createChannelTools(deps)
  await runInBatches(samplePermutations(events, 48), 6, async (order) => {
    const { orderNo, userId } = await paid({ amount: '20.31' })
    for (const amount of ['5', '6']) await refundOrder(deps, operator, { orderNo, amount: parseUsd(amount), reason: 'W2' })
    await db.owner.query('update payments_orders set next_check_at = null where order_no = $1', [orderNo])
    const refunds = await db.query<{ refundNo: string }>(
      'select refund_no from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1 order by f.id',
      [orderNo],
    )
    const [trade] = await db.query<{ tradeNo: string; token: string; txn: string }>(
      'select t.trade_no, t.token, p.txn from payments_sandbox_trades t join payments_sandbox_payments p on p.token = t.token where trade_no like $1',
      [`${orderNo}%`],
    )
    // The channel has finished all of it already; only its notices are outstanding.
    for (const { refundNo } of refunds) {
      await db.query(`update payments_refunds set state = 'dispatched' where refund_no = $1`, [refundNo])
      await db.query(
        `insert into payments_sandbox_refunds select refund_no, $2, $3, minor, 'succeeded', '', now() from payments_refunds where refund_no = $1`,
        [refundNo, trade!.txn, trade!.token],
      )
    }
    await hurry(orderNo)
    for (const what of order) {
      const [event, at] = what.split(':')
      const body = Buffer.from(
        JSON.stringify({
          merchant: MERCHANT,
          notice_id: createId('n'),
          event,
          trade_no: trade!.tradeNo,
          amount: '1',
          currency: 'CNY',
          ...(at ? { refund_no: refunds[Number(at)]!.refundNo } : {}),
        }),
      )
      const reply = await fetch(`${app.url()}/notify/sandbox`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sealed(secret, NOTICE_KEYS[0], new Date(), body) },
        body: new Uint8Array(body),
      })
      expect([what, await reply.text()]).toEqual([what, 'success'])
    }
    const held = await db.query('select clawed_nano from payments_disputes d join payments_orders o on o.id = d.order_id where order_no = $1', [orderNo])
    expect([order, await stateOf(orderNo), await balance(userId), held]).toEqual([order, 'disputed', 0n, [{ clawedNano: parseUsd('20.31') }]])
    expect((await news(orderNo)).toSorted()).toEqual(['order.disputed', 'order.paid', 'order.refunded', 'order.refunded'])
  })
})

test("afterwards the sandbox's own book equals ours, and the ledger adds up", async () => {
  await dueNow()
  await workRefunds(deps)
  const { theirs, ours } = await app.books()
  expect(ours).toEqual(theirs)
  expect((await verifyLedger(db)).problems).toEqual([])
})
