import { beforeEach, describe, expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { createId } from '#platform/shared/ids.ts'
import { setGradualUsers } from '#features/account/server/builders.ts'
import { payments } from '../index.ts'
import {
  closedChannels,
  feePercents,
  fixedFees,
  gradualChannels,
  maintenance,
  maxOpenOrders,
  rateSettings,
  rechargePause,
  reviewedChannels,
} from '../settings.ts'

const db = await useTestDb({ max: 40 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
let today: string | undefined
const clock = { now: () => (today ? new Date(`${today}T04:00:00Z`) : new Date()) }
const { call, deps } = createTestApp({ features: [payments, signIn], db, clock })
let user = ''
beforeEach(() => {
  user = createId('user')
})

const PATH = '/api/go/v1/payOrder'
const create = (body: Record<string, unknown>, idempotencyKey = createId('key'), token = user) => call('POST', PATH, body, { token, idempotencyKey })
const orders = async () => Number((await db.query<{ n: bigint }>('select count(*) as n from payments_orders where user_id = $1', [user]))[0]!.n)
const change = async <T>(entry: Parameters<typeof deps.settings.get<T>>[0], value: T) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, entry, value))

test('an order freezes figures that add up', async () => {
  const { data } = await create({ orderType: 10, amount: '20' })
  expect(data).toMatchObject({
    amount: '20',
    feePercent: '3.5',
    fixedFee: '0',
    fee: '0.7',
    total: '20.7',
    rate: '7.1230',
    payAmount: '147.45',
    payCurrency: 'CNY',
    state: 'created',
    payStatus: 0,
    channelType: 25,
    transactionType: 1,
    tradeFrom: 'QRCODE',
  })
  expect(data.orderNo).toMatch(/^\d{8}-[0-9A-Z]{12}$/)
  expect(data.secondsLeft).toBeGreaterThan(890)
  expect(await db.query('select action, target from audit_rows where actor_id = $1', [user])).toEqual([
    { action: 'order.created', target: `order:${data.orderNo}` },
  ])
})

describe('idempotency', () => {
  test('K1, K2: one order for one key, fifty times, one after the other and at once', async () => {
    const key = createId('key')
    const first = await create({ orderType: 10, amount: '20' }, key)
    const again = [
      ...(await Promise.all(Array.from({ length: 50 }, () => create({ orderType: 10, amount: '20' }, key)))),
      await create({ amount: '20', orderType: 10 }, key),
    ]
    for (const answer of again) expect(answer.data).toEqual(first.data)
    expect(await orders()).toBe(1)
  })
  test('K3, K4: a key with another body and a missing key are refused, and each user has keys of their own', async () => {
    const key = createId('key')
    const mine = await create({ orderType: 10, amount: '20' }, key)
    expect((await create({ orderType: 10, amount: '25' }, key)).status).toBe(409)
    const other = await create({ orderType: 10, amount: '20' }, key, createId('user'))
    expect(other.data.orderNo).not.toBe(mine.data.orderNo)
    expect((await call('POST', PATH, { orderType: 10, amount: '20' }, { token: user })).status).toBe(400)
    expect(await orders()).toBe(1)
  })
  test('K6: a refusal stays a refusal for its key', async () => {
    const key = createId('key')
    await change(maxOpenOrders, 1)
    await create({ orderType: 10, amount: '20' })
    expect((await create({ orderType: 10, amount: '20' }, key)).code).toBe(3112)
    await change(maxOpenOrders, 20)
    expect((await create({ orderType: 10, amount: '20' }, key)).code).toBe(3112)
    expect((await create({ orderType: 10, amount: '20' })).code).toBe(200)
  })
})

test('L12: only plain decimal text with two places is an amount', async () => {
  const bad = [
    '0',
    '0.00',
    '-1',
    '-0',
    '1e30',
    '1e2',
    '1e-9',
    '１００',
    '1,000',
    'NaN',
    'Infinity',
    '0x10',
    '9007199254740993',
    '',
    ' 20',
    '20 ',
    '20.001',
    '+20',
    '.5',
    '20.',
    20,
    20.5,
    -1,
    0,
    null,
    true,
    [20],
    ['20'],
    { amount: '20' },
  ]
  for (const amount of bad) {
    const answer = await create({ orderType: 10, amount })
    expect([JSON.stringify(amount), answer.status]).toEqual([JSON.stringify(amount), 400])
  }
  expect(await orders()).toBe(0)
})

test('an amount out of bounds is refused with the bound’s figure', async () => {
  expect(await create({ orderType: 10, amount: '4.99' })).toMatchObject({ status: 200, code: 3105, msg: '最低 $5.00', data: { min: '5' } })
  expect(await create({ orderType: 10, amount: '400.01' })).toMatchObject({ code: 3106, msg: '最高 $400.00' })
  expect((await create({ orderType: 10, amount: '400' })).code).toBe(200)
  expect((await create({ orderType: 0, amount: '20' })).code).toBe(3104)
  expect((await create({ orderType: 10, amount: '20', channelType: 2 })).code).toBe(3107)
  expect((await create({ orderType: 10, amount: '20', transactionType: 0 })).code).toBe(3107)
})

test('the amount is also read from payAmount', async () => {
  expect((await create({ orderType: 10, payAmount: '20' })).data).toMatchObject({ amount: '20', fee: '0.7', total: '20.7' })
  expect((await create({ orderType: 10, payAmount: '4.99' })).code).toBe(3105)
  expect((await create({ orderType: 10, payAmount: '20 USD' })).status).toBe(400)
})

test('P3: what the client says about money is ignored, and later prices change nothing', async () => {
  const sent = {
    orderType: 10,
    amount: '20',
    fee: '0',
    total: '0.01',
    payAmount: '0.01',
    rate: '0.01',
    feePercent: '0',
    fixedFee: '0',
    status: 'paid',
    state: 'paid',
    userId: 'user_other',
    isPaid: true,
    balance: '999',
  }
  const { data } = await create(sent)
  expect(data).toMatchObject({ fee: '0.7', total: '20.7', payAmount: '147.45', state: 'created' })
  await change(rateSettings.CNY, '1.0000')
  await change(feePercents, { default: '1' })
  const { data: later } = await call('POST', '/v1/pay/tradeStatus', { orderNo: data.orderNo }, { token: user })
  expect(later).toMatchObject({ fee: '0.7', total: '20.7', rate: '7.1230', payAmount: '147.45' })
  expect((await create({ orderType: 10, amount: '20' })).data).toMatchObject({ fee: '0.2', total: '20.2', rate: '1.0000', payAmount: '20.20' })
  await change(rateSettings.CNY, '7.1230')
  await change(feePercents, { default: '3.5' })
})

test('a fixed fee per payment is in the quote, in the order as a part of the fee, and frozen; a channel without it needs another order', async () => {
  await change(fixedFees, { 25: '0.30' })
  const { data: quoted } = await call('GET', '/v1/pay/quote', { amount: '20' }, { token: user })
  expect(quoted).toMatchObject({ feePercent: '3.5', fixedFee: '0.30', fee: '1', total: '21', payAmount: '149.59' })
  expect((await call('GET', '/v1/pay/quote', {}, { token: user })).data).toMatchObject({ fixedFee: '0.30', fee: null })
  const { data: rows } = await call('GET', '/v1/pay/channelList', { orderType: 10 }, { token: user })
  expect(rows[0]).toMatchObject({ feePercent: '3.5', fixedFee: '0.30' })
  const { data } = await create({ orderType: 10, amount: '20' })
  expect(data).toMatchObject({ fixedFee: '0.3', fee: '1', total: '21', payAmount: '149.59' })
  await change(fixedFees, {})
  const { data: later } = await call('POST', '/v1/pay/tradeStatus', { orderNo: data.orderNo }, { token: user })
  expect(later).toMatchObject({ fixedFee: '0.3', fee: '1', total: '21' })
  await expect(db.query('update payments_orders set fixed_nano = 0 where order_no = $1', [data.orderNo])).rejects.toThrow('frozen')
})

describe('channels closed for a reason', () => {
  test('a holiday is announced a week ahead, refuses orders on its days with the day of reopening, and is over after it', async () => {
    const at = async (day: string) => {
      today = day
      return (await call('GET', '/common/maintain')).data.rechargePause
    }
    try {
      await change(rechargePause, { from: '2027-01-27', to: '2027-02-09' })
      const pause = { from: '2027-01-27', to: '2027-02-09', resumes: '2027-02-10' }
      expect(await at('2027-01-19')).toBeNull()
      expect(await at('2027-01-20')).toEqual({ ...pause, isNow: false })
      expect((await create({ orderType: 10, amount: '20' })).code).toBe(200)
      for (const day of ['2027-01-27', '2027-02-09']) {
        expect(await at(day)).toEqual({ ...pause, isNow: true })
        const refused = await create({ orderType: 10, amount: '20' })
        expect([refused.code, refused.msg]).toEqual([3121, expect.stringContaining('2027-02-10')])
      }
      expect(await at('2027-02-10')).toBeNull()
      expect((await create({ orderType: 10, amount: '20' })).code).toBe(200)
    } finally {
      today = undefined
      await change(rechargePause, null)
    }
  })
  test('a gradually released method is offered to its group only', async () => {
    await change(gradualChannels, ['25:2'])
    const offered = async () => {
      const { data } = await call('GET', '/v1/pay/channelList', { orderType: 10 }, { token: user })
      return (data as readonly { channelType: number; transactionType: number; gradualOnly: boolean }[]).find(
        (row) => row.channelType === 25 && row.transactionType === 2,
      )
    }
    const order = { orderType: 10, amount: '20', channelType: 25, transactionType: 2 }
    expect([await offered(), (await create(order)).code]).toEqual([undefined, 3107])
    await setGradualUsers(deps, [user])
    expect([(await offered())?.gradualOnly, (await create(order)).code]).toEqual([true, 200])
    await setGradualUsers(deps, [])
    await change(gradualChannels, [])
  })

  test('a method under review is shown and refused with that reason, unlike one that is merely closed', async () => {
    await change(reviewedChannels, ['25:2'])
    await change(closedChannels, ['25:3'])
    const { data } = await call('GET', '/v1/pay/channelList', { orderType: 10 }, { token: user })
    const rows = data as readonly { transactionType: number; disabled: boolean; closedWhy: string | null }[]
    expect(rows.slice(0, 3).map(({ transactionType, disabled, closedWhy }) => [transactionType, disabled, closedWhy])).toEqual([
      [1, false, null],
      [2, true, 'review'],
      [3, true, 'closed'],
    ])
    expect((await create({ orderType: 10, amount: '20', channelType: 25, transactionType: 2 })).code).toBe(3122)
    expect((await create({ orderType: 10, amount: '20', channelType: 25, transactionType: 3 })).code).toBe(3107)
    await change(reviewedChannels, [])
    await change(closedChannels, [])
  })
})

test('the database keeps figures frozen and the state machine forward', async () => {
  const { data } = await create({ orderType: 10, amount: '20' })
  const set = (what: string) => db.query(`update payments_orders set ${what} where order_no = $1`, [data.orderNo])
  for (const what of ['pay_minor = 1', 'fee_nano = 0, total_nano = amount_nano', `rate = '1.0'`, `user_id = 'x'`])
    await expect(set(what)).rejects.toThrow('frozen')
  for (const state of ['paid', 'fulfilled', 'paid_late', 'integrity_failure', 'nonsense']) await expect(set(`state = '${state}'`)).rejects.toThrow('cannot go')
  await set(`state = 'cancelled'`)
  for (const state of ['created', 'paying', 'paid', 'expired']) await expect(set(`state = '${state}'`)).rejects.toThrow('cannot go')
  await expect(db.query('delete from payments_orders')).rejects.toThrow('permission denied')
  await expect(db.query(`insert into payments_order_edges values ('cancelled','paid')`)).rejects.toThrow('permission denied')
  await expect(db.query('update payments_receipts set paid_minor = 1')).rejects.toThrow('permission denied')
})

test('a race cannot pass the limit of open orders', async () => {
  await change(maxOpenOrders, 3)
  const answers = await Promise.all(Array.from({ length: 12 }, () => create({ orderType: 10, amount: '20' })))
  expect(answers.filter((answer) => answer.code === 200)).toHaveLength(3)
  expect(await orders()).toBe(3)
  await change(maxOpenOrders, 20)
})

test('maintenance closes recharging only when it says so', async () => {
  const notice = { isMaintain: true, startTime: '', endTime: '', message: { zh: '银行升级', en: 'Bank upgrade' } }
  await change(maintenance, { ...notice, closed: ['openCard'] })
  expect((await call('GET', '/common/maintain', {}, { lang: 'en' })).data).toEqual({
    isMaintain: true,
    rechargePause: null,
    startTime: '',
    endTime: '',
    message: 'Bank upgrade',
    closed: ['openCard'],
  })
  expect((await create({ orderType: 10, amount: '20' })).code).toBe(200)
  await change(maintenance, { ...notice, closed: ['recharge'] })
  expect(await create({ orderType: 10, amount: '20' })).toMatchObject({ code: 3111, msg: '银行升级' })
  await change(maintenance, { ...notice, closed: ['recharge'], endTime: '2020-01-01T00:00:00Z' })
  expect((await call('GET', '/common/maintain')).data).toMatchObject({ isMaintain: false, closed: [] })
  expect((await create({ orderType: 10, amount: '20' })).code).toBe(200)
})
