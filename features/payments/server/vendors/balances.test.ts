import { afterAll, expect, test } from 'vitest'
import { startAlipay } from '#stand-ins/alipay/index.ts'
import { listChannels } from './index.ts'
import type { ChannelTools } from './port.ts'
import { startStripePayments } from '#stand-ins/stripe/payments/index.ts'
import { startWechatPay } from '#stand-ins/wechat-pay/index.ts'

// Balances that channels report, each from its own fake.
const now = () => new Date()
const tools = { fetch, now, log: { error: () => {}, info: () => {}, warn: () => {} }, publicUrl: () => 'http://127.0.0.1:1' } as unknown as ChannelTools
const fakes = {
  stripe: await startStripePayments({ now, notifyUrl: tools.publicUrl }),
  wechat: await startWechatPay({ now, mode: 'certificate' }),
  alipay: await startAlipay({ now }),
}
afterAll(() => Promise.all(Object.values(fakes).map((fake) => fake.close())))
const channelOf = (fake: { name: string; env: Readonly<Record<string, string>> }) =>
  listChannels({ config: { STAGE: 'development', ALLOW_SANDBOX: [], ...fake.env } }).find(({ manifest }) => manifest.name === fake.name)!

test('Stripe reports one balance by currency, and a currency without cents is not divided by 100', async () => {
  expect(await channelOf(fakes.stripe).balance!(tools)).toEqual([
    { currency: 'USD', minor: 12_345n },
    { currency: 'JPY', minor: 90_000n },
  ])
})

test('WeChat Pay reports what may be paid out, and how long its certificates last', async () => {
  const channel = channelOf(fakes.wechat)
  expect(await channel.balance!(tools)).toEqual([{ currency: 'CNY', minor: 500_001n }])
  const found = await channel.certificates!(tools)
  expect(found.length).toBeGreaterThan(0)
  for (const { expiresAt } of found) expect(expiresAt.getTime()).toBeGreaterThan(Date.now())
})

test('Alipay reports what may be paid out, not the whole', async () => {
  expect(await channelOf(fakes.alipay).balance!(tools)).toEqual([{ currency: 'CNY', minor: 100_025n }])
})
