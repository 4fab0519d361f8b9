import { afterAll, expect, test } from 'vitest'
import { fakeAlipay } from './alipay/fake/index.ts'
import { listChannels } from './index.ts'
import type { ChannelTools } from './port.ts'
import { fakeStripe } from './stripe/fake/index.ts'
import { fakeWechatPay } from './wechat-pay/fake/index.ts'

// Balances that channels report, each from its own fake.
const now = () => new Date()
const tools = { fetch, now, log: { error: () => {}, info: () => {}, warn: () => {} }, publicUrl: () => 'http://127.0.0.1:1' } as unknown as ChannelTools
const fakes = {
  stripe: await fakeStripe({ now, notifyUrl: tools.publicUrl }),
  wechat: await fakeWechatPay({ now, mode: 'certificate' }),
  alipay: await fakeAlipay({ now }),
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
