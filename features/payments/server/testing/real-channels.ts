import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import { afterAll, expect } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createRunningClock } from '#platform/testing/http.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { payments } from '../index.ts'
import { startAlipay } from '#stand-ins/alipay/index.ts'
import { startNihaopay } from '#stand-ins/nihaopay/index.ts'
import { startStripePayments } from '#stand-ins/stripe/payments/index.ts'
import { startWechatPay } from '#stand-ins/wechat-pay/index.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'

export interface RealChannel {
  readonly fake: PaymentCompany
  readonly channelType: number
  readonly transactionType: number
  readonly tradeFrom: 'QRCODE' | 'H5'
  readonly form: string
  readonly pays: string
  readonly currency: string
}
export const realChannelSignIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })

/** The payments feature on its own server with every real channel, each connected to its fake. */
export async function createRealChannels() {
  const db = await useTestDb({ max: 40 })
  const clock = createRunningClock()
  let url = ''
  const now = () => clock.now()
  const alipay = await startAlipay({ now })
  const wechat = await startWechatPay({ now })
  const nihaopay = await startNihaopay({ now })
  const stripe = await startStripePayments({ now, notifyUrl: () => `${url}/notify/stripe` })
  const fakes: readonly PaymentCompany[] = [alipay, wechat, nihaopay, stripe]

  const env = Object.assign({}, ...fakes.map((fake) => fake.env)) as Record<string, string>
  const { app, call, deps } = createTestApp({ features: [payments, realChannelSignIn], db, clock, env, overrides: { publicUrl: () => url } })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    app.server.closeAllConnections()
    await app.close()
    await Promise.all(fakes.map((fake) => fake.close()))
    // The SDK's own keys are random: only ours are the same when a worker sends again. Ending a thing twice is harmless.
    for (const { method, path, headers } of stripe.http.seen)
      if (method === 'POST' && !/\/(expire|cancel)$/.test(path))
        expect([path, headers['idempotency-key']]).toEqual([path, expect.stringMatching(/^(?!stripe-node-retry-).{8,255}$/)])
  })

  /** Every payment method of a real channel, with the price of 20 dollars plus fee there. */
  const roads: readonly [string, RealChannel][] = [
    ['Alipay, a form on a desktop', { fake: alipay, channelType: 11, transactionType: 1, tradeFrom: 'QRCODE', form: 'form', pays: '147.45', currency: 'CNY' }],
    ['Alipay, its mobile page', { fake: alipay, channelType: 11, transactionType: 1, tradeFrom: 'H5', form: 'redirect', pays: '147.45', currency: 'CNY' }],
    ['WeChat Pay, a code', { fake: wechat, channelType: 4, transactionType: 2, tradeFrom: 'QRCODE', form: 'qr', pays: '147.45', currency: 'CNY' }],
    ['WeChat Pay, H5', { fake: wechat, channelType: 4, transactionType: 2, tradeFrom: 'H5', form: 'redirect', pays: '147.45', currency: 'CNY' }],
    ['UnionPay, a form', { fake: nihaopay, channelType: 3, transactionType: 3, tradeFrom: 'QRCODE', form: 'form', pays: '20.70', currency: 'USD' }],
    ['AlipayHK, a page', { fake: nihaopay, channelType: 3, transactionType: 4, tradeFrom: 'H5', form: 'redirect', pays: '20.70', currency: 'USD' }],
    ['Stripe, a card', { fake: stripe, channelType: 2, transactionType: 5, tradeFrom: 'QRCODE', form: 'redirect', pays: '21.00', currency: 'USD' }],
    ['Stripe, Alipay', { fake: stripe, channelType: 2, transactionType: 1, tradeFrom: 'H5', form: 'redirect', pays: '21.00', currency: 'USD' }],
  ]

  const create = async ({ channelType, transactionType, tradeFrom }: RealChannel, amount = '20') => {
    const userId = createId('user')
    const wish = { orderType: 10, amount, channelType, transactionType, tradeFrom }
    const { data, code } = await call('POST', '/api/go/v1/payOrder', wish, { token: userId, idempotencyKey: createId('key') })
    expect(code).toBe(200)
    return { userId, order: data, orderNo: data.orderNo as string }
  }
  const param = async ({ channelType, transactionType, tradeFrom }: RealChannel, orderNo: string, token: string) => {
    await call('POST', '/v1/unAuth/order/noticeRead', { orderNo })
    return call('POST', '/api/go/v1/payParam', { order_id: orderNo, channelType, transactionType, tradeFrom, redirectUrl: '/api?tab=view' }, { token })
  }
  const open = async (road: RealChannel) => {
    const made = await create(road)
    const { data, code } = await param(road, made.orderNo, made.userId)
    expect([code, data?.form]).toEqual([200, road.form])
    await road.fake.arrive(data)
    return { ...made, tradeNo: await tradeOf(made.orderNo) }
  }
  const tradeOf = async (orderNo: string) =>
    (
      await db.query<{ tradeNo: string }>(
        'select a.trade_no from payments_attempts a join payments_orders o on o.id = a.order_id where o.order_no = $1 order by a.id desc limit 1',
        [orderNo],
      )
    )[0]!.tradeNo
  const stateOf = async (orderNo: string) => (await db.query<{ state: string }>('select state from payments_orders where order_no = $1', [orderNo]))[0]!.state
  const balance = async (userId: string) => (await readBalance(db, userId)).available
  const dueNow = (orderNo: string) => db.owner.query('update payments_orders set next_check_at = now(), asked_at = null where order_no = $1', [orderNo])
  const send = (fake: PaymentCompany, sent: SentWebhook) =>
    fetch(`${url}/notify/${fake.name}`, { method: 'POST', headers: sent.headers, body: new Uint8Array(sent.body) }).then(async (reply) => ({
      status: reply.status,
      body: await reply.text(),
    }))

  const firsts = fakes.map((fake): [string, RealChannel] => [fake.name, roads.find(([, road]) => road.fake === fake)![1]])
  return { db, clock, deps, call, url, fakes, alipay, wechat, nihaopay, stripe, roads, firsts, create, param, open, tradeOf, stateOf, balance, dueNow, send }
}
