import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { createOrigins } from '#platform/server/http/origins.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { payments } from '../index.ts'
import { closedChannels, payNotice } from '../settings.ts'
import { reconcile } from '../reconciling/reconcile.ts'

const db = await useTestDb({ max: 40 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
let url = ''
const { app, call, deps } = createTestApp({ features: [payments, signIn], db, overrides: { publicUrl: () => url } })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const create = async (amount = '20') => {
  const token = createId('user')
  const { data } = await call('POST', '/api/go/v1/payOrder', { orderType: 10, amount }, { token, idempotencyKey: createId('key') })
  return { token, orderNo: data.orderNo as string }
}
const pay = (orderNo: string, token: string, over: Record<string, unknown> = {}) =>
  call('POST', '/api/go/v1/payParam', { order_id: orderNo, channelType: 25, transactionType: 1, tradeFrom: 'QRCODE', ...over }, { token })
const status = async (orderNo: string, token: string) => (await call('POST', '/api/go/v1/payStatus', { order_id: orderNo }, { token })).data
const attempts = (orderNo: string) =>
  db.query<{ state: string; tradeNo: string }>(
    'select a.state, a.trade_no from payments_attempts a join payments_orders o on o.id = a.order_id where order_no = $1 order by a.id',
    [orderNo],
  )
const trades = async (orderNo: string) =>
  Number((await db.query<{ n: bigint }>('select count(*) as n from payments_sandbox_trades where trade_no like $1', [`${orderNo}%`]))[0]!.n)
const cashierOf = async (orderNo: string) => ({
  payUrl: `${url}/sandbox/pay/${(await db.query<{ token: string }>('select token from payments_sandbox_trades where trade_no like $1', [`${orderNo}%`]))[0]!.token}`,
})
const dueNow = (orderNo: string) => db.owner.query('update payments_orders set next_check_at = now(), asked_at = null where order_no = $1', [orderNo])

test('the cashier names the order, in both languages and the same in each opening', async () => {
  const { token, orderNo } = await create()
  await pay(orderNo, token)
  await call('POST', '/api/go/v1/payParam', { order_id: orderNo, channelType: 25, transactionType: 5, tradeFrom: 'QRCODE' }, { token, lang: 'en' })
  const page = await (await fetch((await cashierOf(orderNo)).payUrl)).text()
  const subject = `${deps.config.BRAND_NAME} API 余额充值 API top-up 20 USD`
  expect(page).toContain(`<div class="row"><dt>商品</dt><dd>${subject}</dd></div>`)
  expect(await db.query('select distinct subject from payments_sandbox_trades where trade_no like $1', [`${orderNo}%`])).toEqual([{ subject }])
})

test('a trade opens in three forms, and a reload gets the same parameters', async () => {
  const { token, orderNo } = await create()
  const qr = (await pay(orderNo, token)).data
  expect(qr).toMatchObject({ orderNo, form: 'qr', payHtml: '' })
  expect(qr.qr).toBe(qr.payUrl)
  expect(qr.timeExpireTime).toBeGreaterThan(290)
  expect((await pay(orderNo, token)).data).toMatchObject({ qr: qr.qr })
  expect(await attempts(orderNo)).toHaveLength(1)
  expect((await pay(orderNo, token, { transactionType: 5 })).data).toMatchObject({ form: 'redirect', payHtml: '' })
  const form = (await pay(orderNo, token, { transactionType: 3 })).data
  expect(form.payHtml).toBe(`<form method="post" action="${form.payUrl}"></form>`)
  expect((await pay(orderNo, token, { tradeFrom: 'H5' })).data.form).toBe('redirect')
  expect(await trades(orderNo)).toBe(4)
})

test('the payer stays at the address where they are signed in, and a foreign host has no effect', async () => {
  const port = new URL(url).port
  const origins = createOrigins({ STAGE: 'development', PUBLIC_URL: undefined }, () => Number(port))
  const development = createTestApp({ features: [payments, signIn], db, origins, overrides: { publicUrl: () => url } })
  const at = async (host: string) => {
    const { token, orderNo } = await create()
    const { data } = await development.call(
      'POST',
      '/api/go/v1/payParam',
      { order_id: orderNo, channelType: 25, transactionType: 3, tradeFrom: 'H5' },
      { token, headers: { host } },
    )
    const [trade] = await db.query<{ notifyUrl: string; returnUrl: string }>(
      'select notify_url, return_url from payments_sandbox_trades where trade_no like $1',
      [`${orderNo}%`],
    )
    expect(trade!.notifyUrl).toBe(`${url}/notify/sandbox`)
    return [new URL(data.payUrl).origin, new URL(trade!.returnUrl).origin]
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) expect(await at(host)).toEqual([`http://${host}`, `http://${host}`])
  expect(await at('evil.example')).toEqual([`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}`])
})

test('the timeline names each method that was opened', async () => {
  const { token, orderNo } = await create()
  await pay(orderNo, token, { transactionType: 4 })
  await pay(orderNo, token, { transactionType: 4 })
  await pay(orderNo, token, { transactionType: 5 })
  const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo }, { token })
  expect(data.timeline.map(({ event, facts }: { event: string; facts: Record<string, string> }) => [event, facts['method']])).toEqual([
    ['created', undefined],
    ['opened', '4'],
    ['opened', '5'],
  ])
})

test('an expired code is opened again as the same trade', async () => {
  const { token, orderNo } = await create()
  const first = (await pay(orderNo, token)).data
  await db.owner.query('update payments_attempts set expires_at = now() where trade_no like $1', [`${orderNo}%`])
  expect((await pay(orderNo, token)).data.qr).toBe(first.qr)
  expect([(await attempts(orderNo)).length, await trades(orderNo)]).toEqual([2, 1])
})

test('an order that is another user’s, unknown, over or closed, and an unknown method, are refused', async () => {
  const { token, orderNo } = await create()
  expect((await pay(orderNo, createId('user'))).code).toBe(3101)
  expect((await pay('20260101-000000000000', token)).code).toBe(3101)
  expect((await pay(orderNo, token, { channelType: 2 })).code).toBe(3107)
  expect((await pay(orderNo, token, { transactionType: 4, channelType: 2 })).code).toBe(3107)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, closedChannels, ['25:2']))
  expect((await pay(orderNo, token, { transactionType: 2 })).code).toBe(3107)
  await call('POST', '/v1/pay/cancel', { orderNo }, { token })
  expect((await pay(orderNo, token)).code).toBe(3102)
  expect(await attempts(orderNo)).toEqual([])
})

test('H4: only a path of this site travels through the payment', async () => {
  for (const redirectUrl of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'evil.example/x']) {
    const { token, orderNo } = await create()
    await pay(orderNo, token, { redirectUrl })
    expect(await db.query('select return_url from payments_sandbox_trades where trade_no like $1', [`${orderNo}%`])).toEqual([
      { returnUrl: `${url}/pay-result?orderNo=${orderNo}` },
    ])
  }
  const { token, orderNo } = await create()
  await pay(orderNo, token, { redirectUrl: '/api?tab=view' })
  expect(await db.query('select return_url from payments_sandbox_trades where trade_no like $1', [`${orderNo}%`])).toEqual([
    { returnUrl: `${url}/pay-result?orderNo=${orderNo}&redirect=%2Fapi%3Ftab%3Dview` },
  ])
})

test('the notice is read first: on a phone from 50 dollars, with WeChat on a computer; then the channel opens', async () => {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, closedChannels, []))
  const read = (orderNo: string) => call('POST', '/v1/unAuth/order/noticeRead', { orderNo })
  for (const [amount, way, first] of [
    ['49.99', { tradeFrom: 'H5' }, false],
    ['50', { tradeFrom: 'H5' }, true],
    ['60', { tradeFrom: 'QRCODE' }, false],
    ['5', { tradeFrom: 'QRCODE', transactionType: 2 }, true],
    ['5', { tradeFrom: 'H5', transactionType: 2 }, false],
  ] as const) {
    const { token, orderNo } = await create(amount)
    const refused = await pay(orderNo, token, { ...way, redirectUrl: '/api?tab=view' })
    expect([amount, way, refused.code]).toEqual([amount, way, first ? 3120 : 200])
    if (!first) continue
    expect(await attempts(orderNo)).toEqual([])
    const notice = new URL(refused.data.noticeUrl)
    expect([notice.pathname, Object.fromEntries(notice.searchParams)]).toEqual([
      '/pay-notice',
      { orderNo, channelType: '25', transactionType: '1', redirect: '/api?tab=view', ...way, ...('transactionType' in way ? { transactionType: '2' } : {}) },
    ])
    expect((await status(orderNo, token)).noticeRead).toBe(false)
    expect((await read(orderNo)).data).toEqual({ payable: true })
    await read(orderNo)
    expect((await status(orderNo, token)).noticeRead).toBe(true)
    expect((await pay(orderNo, token, way)).code).toBe(200)
  }
  expect((await read('20260101-000000000000')).code).toBe(3101)
  const over = await create('50')
  await call('POST', '/v1/pay/cancel', { orderNo: over.orderNo }, { token: over.token })
  expect((await read(over.orderNo)).data).toEqual({ payable: false })
  const away = await create('50')
  expect((await pay(away.orderNo, away.token, { tradeFrom: 'H5', redirectUrl: '//evil.example' })).data.noticeUrl).not.toContain('evil')
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, payNotice, { h5From: null, wechatOnComputers: false }))
  const { token, orderNo } = await create('400')
  expect((await pay(orderNo, token, { tradeFrom: 'H5' })).code).toBe(200)
  expect((await pay(orderNo, token, { transactionType: 2 })).code).toBe(200)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, payNotice, payNotice.fallback))
})

test('a certain refusal is reported, and leaves the order open for another method', async () => {
  const { token, orderNo } = await create('20.01')
  expect((await pay(orderNo, token)).code).toBe(3108)
  expect(await attempts(orderNo)).toMatchObject([{ state: 'failed' }])
  expect(await status(orderNo, token)).toMatchObject({ payStatus: 0, state: 'paying' })
})

describe('P4: a channel that does not say whether it opened the trade', () => {
  const real = globalThis.fetch
  const before = async () => {
    throw new TypeError('fetch failed')
  }
  const after =
    (then: (reply: Response) => Promise<Response>) =>
    async (...args: Parameters<typeof fetch>) =>
      then(await real(...args))
  const faults: Record<string, typeof fetch> = {
    'name not found': before,
    'reset before': before,
    'time-out before': async () => {
      throw new DOMException('timed out', 'TimeoutError')
    },
    'time-out after it was accepted': after(async () => {
      throw new DOMException('timed out', 'TimeoutError')
    }),
    'reset after it was accepted': after(async () => {
      throw new TypeError('terminated')
    }),
    'reset in the body': after(async (reply) => {
      const text = await reply.text()
      return new Response(text.slice(0, 12))
    }),
    '500 after it was accepted': after(async () => new Response('{}', { status: 500 })),
    'HTML for JSON': after(async () => new Response('<html>')),
    'empty answer': after(async () => new Response('')),
    '200 with an error code': after(async () => Response.json({ code: 'SYSTEM_ERROR' })),
    'number already used': after(async () => Response.json({ code: 'TRADE_EXISTS' })),
  }
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name}: the order is processing, has one trade and is credited once`, async () => {
      const { token, orderNo } = await create()
      const spy = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(fault)
      expect((await pay(orderNo, token)).code).toBe(3110)
      spy.mockRestore()
      expect(await attempts(orderNo)).toMatchObject([{ state: 'unknown' }])
      const seen = await status(orderNo, token)
      expect(seen.payStatus).toBe(0)
      expect(['unknown', 'paying']).toContain(seen.state)
      expect((await pay(orderNo, token)).data.form).toBe('qr')
      expect(await trades(orderNo)).toBe(1)
      await pressCashier(await cashierOf(orderNo), 'silent')
      await dueNow(orderNo)
      await reconcile(deps)
      expect(await status(orderNo, token)).toMatchObject({ payStatus: 1, state: 'fulfilled' })
      expect((await readBalance(db, token)).available).toBe(parseUsd('20'))
    })
  }
  for (const [cents, name] of [
    ['03', '500'],
    ['05', 'HTML'],
    ['06', 'cut body'],
    ['07', 'error code'],
    ['08', 'duplicate'],
  ] as const) {
    test(`magic input .${cents} (${name}): the order is paid though its code was never seen`, async () => {
      const { token, orderNo } = await create(`20.${cents}`)
      expect((await pay(orderNo, token)).code).toBe(3110)
      await pressCashier(await cashierOf(orderNo), 'silent')
      expect(await status(orderNo, token)).toMatchObject({ payStatus: 1 })
      expect((await readBalance(db, token)).available).toBe(parseUsd(`20.${cents}`))
    })
  }
})

test('the query finds the trade of a process that died between stamp and answer', async () => {
  const { token, orderNo } = await create()
  await pay(orderNo, token)
  await db.owner.query(`update payments_attempts set state = 'dispatched', opened = null, expires_at = null, finished_at = null where trade_no like $1`, [
    `${orderNo}%`,
  ])
  await pressCashier(await cashierOf(orderNo), 'silent')
  await dueNow(orderNo)
  await reconcile(deps)
  expect(await status(orderNo, token)).toMatchObject({ payStatus: 1, state: 'fulfilled' })
})

test('a declined payment leaves the order open; paying again works', async () => {
  const { token, orderNo } = await create()
  const params = (await pay(orderNo, token)).data
  await pressCashier(params, 'decline')
  expect(await status(orderNo, token)).toMatchObject({ payStatus: 0, state: 'paying', declined: true })
  const again = (await pay(orderNo, token)).data
  await dueNow(orderNo)
  expect(await status(orderNo, token)).toMatchObject({ declined: false })
  await pressCashier(again, 'silent')
  await dueNow(orderNo)
  expect(await status(orderNo, token)).toMatchObject({ payStatus: 1 })
})

test('an order has one trade per method, however often it is opened at once', async () => {
  const { token, orderNo } = await create()
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(orderNo, token)))
  expect(new Set(answers.map(({ data }) => data.qr)).size).toBe(1)
  expect(await trades(orderNo)).toBe(1)
})

test('afterwards the ledger adds up', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
