import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { LANGS } from '#platform/shared/texts.ts'
import { isPayCurrency } from '../../contract-currencies.ts'
import { CHANNEL_TYPES, PAY_FORMS } from '../../words.ts'
import { paymentsConfig } from '../config.ts'
import { findChannelById, findChannelByName, listChannels, channelRegistry, findChannelProblems } from './index.ts'
import type { Channel, ChannelTools } from './port.ts'

const tools = { now: () => new Date(), secret: () => Buffer.alloc(32), publicUrl: () => 'https://shop.example' } as unknown as ChannelTools
const raw = (body: string, headers = {}) => ({ params: {}, query: {}, headers, body: Buffer.from(body), ip: '', requestId: '' })

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const bare = (publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')

/** Well-formed credentials for every vendor; none of them is valid. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ALIPAY_APP_ID: '2021000000000000',
  ALIPAY_SELLER_ID: '2088000000000000',
  ALIPAY_PRIVATE_KEY: pem,
  ALIPAY_PUBLIC_KEYS: bare,
  WECHAT_PAY_MCHID: '1900000001',
  WECHAT_PAY_APPID: 'wx0000000000000001',
  WECHAT_PAY_SERIAL: '0123456789ABCDEF0123',
  WECHAT_PAY_PRIVATE_KEY: pem,
  WECHAT_PAY_API_V3_KEY: '0123456789abcdef0123456789abcdef',
  WECHAT_PAY_PUBLIC_KEYS: `PUB_KEY_ID_0000000001=${bare}`,
  NIHAOPAY_TOKENS: '0123456789abcdef0123456789abcdef',
  STRIPE_SECRET_KEY: 'sk_test_000000000000',
  STRIPE_WEBHOOK_SECRETS: 'whsec_000000000000',
}
const development = { STAGE: 'development', ALLOW_SANDBOX: [] as string[] } as const
const production = { STAGE: 'production', ALLOW_SANDBOX: [] as string[] } as const
const all = { ...development, ...CREDENTIALS }
const channels = listChannels({ config: all })

test('each number and name is used once', () => {
  expect(channels.map(({ manifest }) => manifest.name)).toEqual(channelRegistry.vendors.map(({ name }) => name))
  expect(new Set(channels.map(({ manifest }) => manifest.id)).size).toBe(channels.length)
  expect(channels.every(({ manifest: { id } }) => id >= 1 && id <= CHANNEL_TYPES)).toBe(true)
})

describe.each(channels.map((channel): [string, Channel] => [channel.manifest.name, channel]))('%s', (name, channel) => {
  const vendor = channelRegistry.getVendor(name)
  test('has a manifest with what the pages and the notice address need', () => {
    const { manifest } = channel
    expect([findChannelById({ config: all }, manifest.id), findChannelByName({ config: all }, name)]).toEqual([channel, channel])
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(manifest.sandbox).toBe(vendor.sandbox)
    expect(isPayCurrency(manifest.currency)).toBe(true)
    expect(manifest.methods).not.toEqual([])
    for (const method of manifest.methods) {
      for (const lang of LANGS) expect(method.label[lang]).not.toBe('')
      expect(method.icon).toMatch(/^<svg [^]+<\/svg>$/)
      expect(method.icon).not.toMatch(/<script|\son\w+=|href=/i)
      expect(Object.values(method.forms).every((form) => PAY_FORMS.includes(form))).toBe(true)
      expect(Object.keys(method.forms)).not.toEqual([])
    }
  })
  test('reads no unsigned notice, and its three answers differ', async () => {
    for (const body of ['', '{}', 'null', '[]', '<xml/>', 'a=b', 'sign=a&sign_type=RSA2', 'verify_sign=00000000000000000000000000000000'])
      expect(await channel.readNotice(tools, raw(body))).toBeUndefined()
    const answers = (['done', 'retry', 'forged'] as const).map((outcome) => channel.acknowledge(outcome))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(3)
    expect(answers[0]!.status).toBe(200)
    expect(answers[1]!.status).toBeGreaterThanOrEqual(500)
    expect(answers[2]!.status).toBeGreaterThanOrEqual(400)
  })
  test('a sandbox has its outside, and a real channel has none', () => {
    expect(vendor.outside !== undefined).toBe(vendor.sandbox)
  })
  test('is absent without credentials, and incomplete ones stop the start without being repeated', () => {
    const own = Object.keys(vendor.env).filter((key) => CREDENTIALS[key])
    expect(own.every((key) => key in paymentsConfig)).toBe(true)
    if (vendor.sandbox) return
    expect(findChannelByName({ config: { ...development } }, name)).toBeUndefined()
    for (const missing of own.length > 1 ? own.filter((key) => key !== 'WECHAT_PAY_PUBLIC_KEYS') : []) {
      expect(() => listChannels({ config: { ...all, [missing]: undefined } })).toThrow(missing)
    }
    for (const broken of own) {
      const value = `not-a-credential-${broken}`
      try {
        listChannels({ config: { ...all, [broken]: value } })
        // A token has no fixed format.
        expect(broken).toBe('NIHAOPAY_TOKENS')
      } catch (error) {
        expect((error as Error).message).toContain(broken)
        expect((error as Error).message).not.toContain(value)
      }
    }
  })
})

describe('production', () => {
  test('needs a channel that takes real money, or the sandbox by name', () => {
    const missing = (role: string) => findChannelProblems({ ...production }, new Set([role]))
    for (const role of ['api', 'worker', 'console'])
      expect([role, missing(role)]).toEqual([role, [{ setting: 'payment channel', problem: expect.stringContaining('ALLOW_SANDBOX=payment') }]])
    expect(missing('gateway')).toEqual([])
    expect(listChannels({ config: { ...production, ALLOW_SANDBOX: ['payment'] } }).map(({ manifest }) => manifest.name)).toEqual(['sandbox'])
  })
  test('has no sandbox beside real ones', () => {
    const config = { ...production, ...CREDENTIALS }
    expect(findChannelProblems(config, new Set(['api']))).toEqual([])
    expect(listChannels({ config }).some(({ manifest }) => manifest.sandbox)).toBe(false)
  })
})
