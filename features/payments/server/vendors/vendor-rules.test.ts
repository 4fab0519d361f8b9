import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALIPAY_FIGURES } from '#stand-ins/alipay/index.ts'
import { NIHAOPAY_FIGURES } from '#stand-ins/nihaopay/index.ts'
import { STRIPE_FIGURES } from '#stand-ins/stripe/payments/index.ts'
import type { startStripePayments } from '#stand-ins/stripe/payments/index.ts'
import { WECHAT_PAY_FIGURES } from '#stand-ins/wechat-pay/index.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'
import { aSupplierTools, createTestClock } from '#platform/testing/http.ts'
import type { Deps } from '#platform/server/feature.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import { createRefundDaysLookup } from '../refunds/refundable-now.ts'
import { PAYMENT_COMPANIES } from '../testing/payment-companies.ts'
import { channelRegistry, findChannelByName } from './index.ts'
import type { Channel, ChannelTools, OpenCall, OpenOutcome } from './port.ts'

// The product's own tables beside the rules of the vendors: they must not differ, but for what is listed here with its reason.
const DIFFERENCES: Readonly<Record<string, string>> = {
  'nihaopay refund window': 'the documentation gives none; 180 days are assumed until a contract says otherwise (docs/vendors/unionpay.md)',
  'stripe card refund window': 'Stripe sets none for cards; after 180 days a bank may refuse',
}

const clock = createTestClock(new Date('2026-11-21T12:00:00+08:00'))
const tools: ChannelTools = { ...aSupplierTools(), now: clock.now, secret: () => Buffer.alloc(32) }
const companies = new Map<string, PaymentCompany>()
const channels = new Map<string, Channel>()
beforeAll(async () => {
  for (const { name, make } of PAYMENT_COMPANIES) {
    const company = await make({ now: clock.now, notifyUrl: () => 'http://127.0.0.1:1' })
    companies.set(name, company)
    channels.set(name, findChannelByName({ config: { STAGE: 'development', ALLOW_SANDBOX: [], ...company.env } }, name)!)
  }
})
afterAll(() => Promise.all([...companies.values()].map((company) => company.close())))

let made = 0
const callFor = (
  channel: Channel,
  method: { readonly transactionType: number; readonly tradeFrom: 'QRCODE' | 'H5' },
  over: Partial<OpenCall> = {},
): OpenCall => ({
  // The longest number: orders have 21 characters, then the channel, the method, the device and the number of the opening.
  tradeNo: `20261121-${(++made).toString(36).toUpperCase().padStart(12, '0')}-${channel.manifest.id}${method.transactionType}${method.tradeFrom.slice(0, 1)}`,
  payMinor: 14_745n,
  currency: channel.manifest.currency,
  orderAmount: '20',
  subject: 'Mingxi 20 USD',
  ...method,
  notifyUrl: `https://shop.example/notify/${channel.manifest.name}`,
  returnUrl: 'https://shop.example/pay-result?orderNo=20261121-000000000000&redirect=%2Fapi',
  expiresAt: new Date(clock.now().getTime() + 900_000),
  payerIp: '203.0.113.7',
  payerAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  lang: 'zh',
  ...over,
})
const listMethods = (channel: Channel) =>
  channel.manifest.methods.flatMap(({ transactionType, forms }) =>
    Object.keys(forms).map((tradeFrom) => ({ transactionType, tradeFrom: tradeFrom as 'QRCODE' | 'H5' })),
  )
/** Opens a trade and lets the payer's browser arrive: a page that the vendor refuses is an error there. */
async function open(name: string, call: OpenCall): Promise<OpenOutcome> {
  const opened = await channels.get(name)!.open(tools, call)
  if (opened.kind === 'opened') await companies.get(name)!.arrive(opened)
  return opened
}

const NAMES = PAYMENT_COMPANIES.map(({ name }) => name)

test('every real channel has its stand-in', () => {
  expect(NAMES).toEqual(channelRegistry.vendors.flatMap((vendor) => (vendor.sandbox ? [] : [vendor.name])))
})

describe.each(NAMES)('%s accepts', (name) => {
  test('a brand with any signs, and one that is very long', async () => {
    const channel = channels.get(name)!
    for (const subject of ['A&B / C=D 充值 20 USD', `${'长'.repeat(400)} 20 USD`]) {
      for (const method of listMethods(channel)) expect((await open(name, callFor(channel, method, { subject }))).kind).toBe('opened')
    }
  })
  test('an order from its first second to its last whole minute, and of a day', async () => {
    const channel = channels.get(name)!
    for (const seconds of [61, 900, 3600, 86_399])
      for (const method of listMethods(channel)) {
        const call = callFor(channel, method, { expiresAt: new Date(clock.now().getTime() + seconds * 1000) })
        expect([seconds, (await open(name, call)).kind]).toEqual([seconds, 'opened'])
      }
  })
  test('the smallest order that the channel offers', async () => {
    const channel = channels.get(name)!
    const least = BigInt(Math.round(Number(channel.manifest.limits.min ?? '0.01') * 100))
    for (const method of listMethods(channel)) expect((await open(name, callFor(channel, method, { payMinor: least }))).kind).toBe('opened')
  })
})

describe('refund windows are no longer than the vendors', () => {
  const windowOf = (name: string, transactionType = channels.get(name)!.manifest.methods[0]!.transactionType) => {
    const config = { STAGE: 'development', ALLOW_SANDBOX: [], ...companies.get(name)!.env } as unknown as Deps['config']
    return createRefundDaysLookup({ config })(channels.get(name)!.manifest.id, transactionType)
  }
  test('Alipay', () => expect(windowOf('alipay')).toBeLessThanOrEqual(ALIPAY_FIGURES.refundDays.value))
  test('WeChat Pay', () => expect(windowOf('wechat-pay')).toBeLessThanOrEqual(WECHAT_PAY_FIGURES.refundDays.value))
  test('Alipay through Stripe', () => expect(windowOf('stripe', PAY_METHODS.alipay.id)).toBeLessThanOrEqual(STRIPE_FIGURES.alipayRefundDays.value))
  test('WeChat Pay through Stripe', () => expect(windowOf('stripe', PAY_METHODS.wechat.id)).toBeLessThanOrEqual(STRIPE_FIGURES.wechatPayRefundDays.value))
  test('those that no vendor states are listed', () => {
    expect([windowOf('nihaopay'), windowOf('stripe', PAY_METHODS.card.id)]).toEqual([180, 180])
    expect(Object.keys(DIFFERENCES)).toEqual(['nihaopay refund window', 'stripe card refund window'])
  })
})

test('the shortest period of deductions and the smallest charge are within those of the vendors', () => {
  const { ALIPAY_AGREEMENT_DAYS: days } = channelRegistry.getVendor('alipay').env
  const least = ALIPAY_FIGURES.agreementLeastDays.value
  expect([days!.safeParse(String(least)).success, days!.safeParse(String(least - 1)).success]).toEqual([true, false])
  expect(STRIPE_FIGURES.leastUsdCents.value).toBeLessThanOrEqual(Number(channels.get('stripe')!.manifest.limits.min) * 100)
})

test('pages and codes live no longer than the vendors keep them', async () => {
  const lives = [
    ['wechat-pay', 'QRCODE', WECHAT_PAY_FIGURES.codeLifeSeconds.value],
    ['wechat-pay', 'H5', WECHAT_PAY_FIGURES.h5LifeSeconds.value],
  ] as const
  const later = new Date(clock.now().getTime() + 86_000_000)
  for (const [name, tradeFrom, most] of lives) {
    const channel = channels.get(name)!
    const opened = await open(name, callFor(channel, { transactionType: channel.manifest.methods[0]!.transactionType, tradeFrom }, { expiresAt: later }))
    expect(opened.kind === 'opened' && (opened.expiresAt.getTime() - clock.now().getTime()) / 1000).toBeLessThanOrEqual(most)
  }
  for (const [transactionType, most] of [
    [PAY_METHODS.unionpay.id, NIHAOPAY_FIGURES.securePayMostMinutes.value],
    [PAY_METHODS.alipayHk.id, NIHAOPAY_FIGURES.aplusMostMinutes.value],
  ] as const) {
    const opened = await open('nihaopay', callFor(channels.get('nihaopay')!, { transactionType, tradeFrom: 'QRCODE' }, { expiresAt: later }))
    const asked = new URLSearchParams(companies.get('nihaopay')!.http.seen.at(-1)!.body)
    expect(Number(asked.get('timeout'))).toBeLessThanOrEqual(most)
    expect(opened.kind === 'opened' && (opened.expiresAt.getTime() - clock.now().getTime()) / 60_000).toBeLessThanOrEqual(most)
  }
})

test('a payment by UnionPay or AlipayHK that fails returns to our page too', async () => {
  const channel = channels.get('nihaopay')!
  for (const method of listMethods(channel)) {
    await open('nihaopay', callFor(channel, method))
    // Without it only successful payments return: https://docs.nihaopay.com/api/v1.2/en/
    expect(new URLSearchParams(companies.get('nihaopay')!.http.seen.at(-1)!.body).get('callback_url')).toMatch(/[?&]accept=pending,failure$/)
  }
})

test('a payment in another currency than the order is ruled out at Stripe', async () => {
  const channel = channels.get('stripe')!
  const call = callFor(channel, { transactionType: PAY_METHODS.card.id, tradeFrom: 'QRCODE' })
  const opened = await open('stripe', call)
  await companies.get('stripe')!.pay(call.tradeNo, { silent: true })
  const ref = { tradeNo: call.tradeNo, openedAt: clock.now(), ...(opened.kind === 'opened' && opened.channelRef ? { channelRef: opened.channelRef } : {}) }
  expect((await channel.query(tools, ref)).payments).toMatchObject([{ minor: 14_745n, currency: 'USD' }])
})

test.each(NAMES)('%s: a refund that is sent five times at once is made once, where it has our number', async (name) => {
  const channel = channels.get(name)!
  if (channel.manifest.supports.refund !== 'numbered') return
  const call = callFor(channel, listMethods(channel)[0]!)
  const opened = await open(name, call)
  await companies.get(name)!.pay(call.tradeNo, { silent: true })
  const trade = { tradeNo: call.tradeNo, openedAt: clock.now(), ...(opened.kind === 'opened' && opened.channelRef ? { channelRef: opened.channelRef } : {}) }
  const [paid] = (await channel.query(tools, trade)).payments
  const refund = { refundNo: `${call.tradeNo}-R1`, trade, paid: paid!, minor: 100n, earlierMinor: 0n, reason: 'asked', notifyUrl: call.notifyUrl }
  await Promise.allSettled(Array.from({ length: 5 }, () => channel.refund(tools, refund)))
  expect((await companies.get(name)!.refunds()).filter(({ txn }) => txn === paid!.channelTxn)).toHaveLength(1)
})

test('evidence against a dispute is taken once by Stripe, and refused once the dispute is decided', async () => {
  const channel = channels.get('stripe')!
  const company = companies.get('stripe') as Awaited<ReturnType<typeof startStripePayments>>
  const call = callFor(channel, { transactionType: PAY_METHODS.card.id, tradeFrom: 'QRCODE' })
  const opened = await open('stripe', call)
  company.pay(call.tradeNo, { silent: true })
  company.dispute(call.tradeNo, 'needs_response')
  const trade = { tradeNo: call.tradeNo, openedAt: clock.now(), ...(opened.kind === 'opened' && opened.channelRef ? { channelRef: opened.channelRef } : {}) }
  const [dispute] = (await channel.query(tools, trade)).disputes!
  const long = '长'.repeat(30_000)
  const facts = { product: long, paidOn: '2026-11-21', receipt: long, use: long, access: long }
  const evidence = { evidenceNo: 'E20261121-000000000001', disputeId: dispute!.disputeId, words: long, facts }
  for (let again = 0; again < 2; again++) expect(await channel.contest!(tools, evidence)).toEqual({ kind: 'taken' })
  expect((await channel.contest!(tools, { ...evidence, evidenceNo: 'E20261121-000000000002' })).kind).toBe('refused')
})

test('Stripe refuses a refund of an Alipay payment after 90 days, and takes one of a card', async () => {
  const channel = channels.get('stripe')!
  for (const [transactionType, status] of [
    [PAY_METHODS.alipay.id, 'refused'],
    [PAY_METHODS.card.id, 'succeeded'],
  ] as const) {
    const call = callFor(channel, { transactionType, tradeFrom: 'QRCODE' })
    const opened = await open('stripe', call)
    await companies.get('stripe')!.pay(call.tradeNo, { silent: true })
    const trade = { tradeNo: call.tradeNo, openedAt: clock.now(), ...(opened.kind === 'opened' && opened.channelRef ? { channelRef: opened.channelRef } : {}) }
    const [paid] = (await channel.query(tools, trade)).payments
    clock.advance(91 * 86_400_000)
    const refund = { refundNo: `${call.tradeNo}-R1`, trade, paid: paid!, minor: 100n, earlierMinor: 0n, reason: 'asked', notifyUrl: call.notifyUrl }
    expect((await channel.refund(tools, refund)).status).toBe(status)
    clock.advance(-91 * 86_400_000)
  }
})
