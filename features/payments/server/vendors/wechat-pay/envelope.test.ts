import { expect, test } from 'vitest'
import { Formatter, Rsa } from 'wechatpay-axios-plugin'
import { createTestClock, aSupplierTools } from '#platform/testing/http.ts'
import type { ChannelTools, TradeRef } from '../port.ts'
import { readWechatPayAccount } from './config.ts'
import { buildWechatPayAuthorization } from './envelope.ts'
import { APPID, createWechatPayKeys, MCHID, MERCHANT_SERIAL, buildWechatPayWebhook, startWechatPay } from '#stand-ins/wechat-pay/index.ts'
import { wechatPay } from './index.ts'

const clock = createTestClock()
const tools: ChannelTools = {
  ...aSupplierTools(),
  now: clock.now,
  secret: () => Buffer.alloc(32),
}
const raw = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer }) => ({
  params: {},
  query: {},
  headers,
  body,
  ip: '',
  requestId: '',
})
const trade: TradeRef = { tradeNo: '20261121-000000000001-42Q', openedAt: clock.now() }

test('another library makes the same Authorization header, byte for byte', () => {
  const keys = createWechatPayKeys('public-key', clock.now())
  const account = readWechatPayAccount({
    WECHAT_PAY_MCHID: MCHID,
    WECHAT_PAY_APPID: APPID,
    WECHAT_PAY_SERIAL: MERCHANT_SERIAL,
    WECHAT_PAY_PRIVATE_KEY: keys.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    WECHAT_PAY_API_V3_KEY: keys.apiV3Keys[0],
  })!
  const at = new Date(1_554_208_460_000)
  for (const [method, path, body] of [
    ['GET', '/v3/certificates', ''],
    ['GET', '/v3/pay/transactions/out-trade-no/20261121-A?mchid=1900000109', ''],
    ['POST', '/v3/pay/transactions/native', '{"description":"明细 20 USD","amount":{"total":14745}}'],
  ] as const) {
    const nonce = Formatter.nonce()
    const ours = buildWechatPayAuthorization(account, at, { method, path, body, nonce })
    const signature = Rsa.sign(Formatter.request(method, path, 1_554_208_460, nonce, body), keys.merchant.privateKey)
    const theirs = Formatter.authorization(MCHID, nonce, signature, 1_554_208_460, MERCHANT_SERIAL)
    const parts = (text: string) => text.slice('WECHATPAY2-SHA256-RSA2048 '.length).split(',').toSorted()
    expect(parts(ours)).toEqual(parts(theirs))
    expect(ours.startsWith('WECHATPAY2-SHA256-RSA2048 ')).toBe(true)
  }
})

test('a request names the public key that must sign the answer, or none without a public key', async () => {
  for (const mode of ['public-key', 'certificate'] as const) {
    const fake = await startWechatPay({ now: clock.now, mode })
    await wechatPay.connect(fake.env)!.query(tools, trade)
    expect(fake.http.seen.at(-1)!.headers['wechatpay-serial']).toEqual(mode === 'public-key' ? expect.stringMatching(/^PUB_KEY_ID_/) : undefined)
    await fake.close()
  }
})

test('certificates: fetched once, again when an unknown one comes, and at most once a minute however many are forged', async () => {
  const fake = await startWechatPay({ now: clock.now, mode: 'certificate' })
  const channel = wechatPay.connect(fake.env)!
  const fetched = () => fake.http.seen.filter(({ path }) => path === '/v3/certificates').length
  for (let i = 0; i < 5; i++) await channel.query(tools, trade)
  expect(fetched()).toBe(1)
  const good = {
    headers: {
      'wechatpay-serial': '',
      'wechatpay-timestamp': String(Math.floor(clock.now().getTime() / 1000)),
      'wechatpay-nonce': 'x',
      'wechatpay-signature': 'AAAA',
    },
    body: Buffer.from('{}'),
  }
  const forged = (serial: number) => raw({ ...good, headers: { ...good.headers, 'wechatpay-serial': serial.toString(16).padStart(40, 'A').toUpperCase() } })
  clock.advance(61_000)
  await Promise.all(Array.from({ length: 200 }, (_, at) => channel.readNotice(tools, forged(at))))
  for (let i = 0; i < 20; i++) await channel.readNotice(tools, forged(1000 + i))
  expect(fetched()).toBeLessThanOrEqual(2)
  clock.advance(11 * 3_600_000)
  await channel.query(tools, trade)
  expect(fetched()).toBeLessThanOrEqual(3)
  await fake.close()
})

test('certificates: a list that none of them signed, or that is broken, is not taken', async () => {
  for (const fault of ['bad-signature', 'html', 'error-after', 'reset-in-body'] as const) {
    const fake = await startWechatPay({ now: clock.now, mode: 'certificate' })
    const channel = wechatPay.connect(fake.env)!
    fake.http.misbehave(fault, 1, /certificates/)
    await expect(channel.query(tools, trade)).rejects.toThrow('signature')
    fake.http.behave()
    clock.advance(61_000)
    expect((await channel.query(tools, trade)).status).toBe('not_found')
    await fake.close()
  }
})

test('certificates: an answer signed with an expired one is refused', async () => {
  const fake = await startWechatPay({ now: clock.now, mode: 'certificate' })
  const channel = wechatPay.connect(fake.env)!
  expect((await channel.query(tools, trade)).status).toBe('not_found')
  clock.advance(366 * 86_400_000)
  await expect(channel.query(tools, trade)).rejects.toThrow('signature')
  clock.advance(-366 * 86_400_000)
  await fake.close()
})

test('while a merchant moves from certificates to the public key, both are good', async () => {
  const fake = await startWechatPay({ now: clock.now, mode: 'certificate' })
  const { signers } = createWechatPayKeys('public-key', clock.now())
  const bare = (signers[0].publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')
  const env = { ...fake.env, WECHAT_PAY_PUBLIC_KEYS: `${signers[0].serial}=${bare}` }
  const about = { type: 'TRANSACTION.SUCCESS', plain: { mchid: MCHID, appid: APPID, out_trade_no: trade.tradeNo, trade_state: 'SUCCESS' } }
  const byKey = buildWechatPayWebhook(signers[0], fake.env['WECHAT_PAY_API_V3_KEY']!.split(',')[0]!, about, clock.now())
  const moving = wechatPay.connect({ ...env, WECHAT_PAY_CERTIFICATES: 'on' })!
  expect(await moving.readNotice(tools, raw(byKey))).toMatchObject({ event: 'paid', tradeNo: trade.tradeNo })
  expect((await moving.query(tools, trade)).status).toBe('not_found')
  await expect(wechatPay.connect(env)!.query(tools, trade)).rejects.toThrow('signature')
  await fake.close()
})
