import { afterAll, describe, expect, test } from 'vitest'
import { LANGS } from '#platform/shared/texts.ts'
import { isPayCurrency } from '../../contract-currencies.ts'
import { PAY_CHANNELS } from '../../contract-channels.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import { CHANNEL_TYPES, PAY_FORMS } from '../../words.ts'
import { paymentsConfig } from '../index.ts'
import { PAYMENT_COMPANIES } from '../testing/payment-companies.ts'
import { findChannelById, findChannelByName, listChannels, channelRegistry, findChannelProblems } from './index.ts'
import type { Channel, ChannelTools, ConfigShape } from './port.ts'

const tools = { now: () => new Date(), secret: () => Buffer.alloc(32), publicUrl: () => 'https://shop.example' } as unknown as ChannelTools
const raw = (body: string, headers = {}) => ({ params: {}, query: {}, headers, body: Buffer.from(body), ip: '', requestId: '' })

const fakes = await Promise.all(PAYMENT_COMPANIES.map(({ make }) => make({ now: tools.now, notifyUrl: tools.publicUrl })))
afterAll(() => Promise.all(fakes.map((fake) => fake.close())))
/** Valid credentials for every vendor, at its fake. */
const CREDENTIALS: Readonly<Record<string, string>> = Object.assign({}, ...fakes.map(({ env }) => env))
/** The same for live accounts: the vendors' own addresses, which are the defaults, and a live key. */
const LIVE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(CREDENTIALS).filter(([name]) => !/_(GATEWAY|BASE_URL|API_BASE)$/.test(name))),
  STRIPE_SECRET_KEY: 'sk_live_000000000000',
}
const development = { STAGE: 'development', ALLOW_SANDBOX: [] as string[] } as const
const production = { STAGE: 'production', ALLOW_SANDBOX: [] as string[] } as const
/** Environment variables that have no default. */
const listCredentials = (env: ConfigShape) => Object.keys(env).filter((key) => CREDENTIALS[key] && env[key]?.safeParse(undefined).data === undefined)
const all = { ...development, ...CREDENTIALS }
const channels = listChannels({ config: all })

test('each number and name is used once', () => {
  expect(PAYMENT_COMPANIES.map(({ name }) => name)).toEqual(channelRegistry.vendors.flatMap((vendor) => (vendor.sandbox ? [] : [vendor.name])))
  const numbers = [PAY_CHANNELS, PAY_METHODS].map((table) => Object.values(table).map(({ id }) => id))
  for (const ids of numbers) expect(new Set(ids).size).toBe(ids.length)
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
    if (vendor.sandbox) return
    const own = listCredentials(vendor.env)
    const { optional = [], free = [] } = PAYMENT_COMPANIES.find((fake) => fake.name === name)!
    expect(own.length).toBeGreaterThan(0)
    expect(own.every((key) => key in paymentsConfig)).toBe(true)
    expect(findChannelByName({ config: { ...development } }, name)).toBeUndefined()
    for (const missing of own.length > 1 ? own.filter((key) => !optional.includes(key)) : []) {
      expect(() => listChannels({ config: { ...all, [missing]: undefined } })).toThrow(missing)
    }
    for (const broken of own) {
      const value = `not-a-credential-${broken}`
      try {
        listChannels({ config: { ...all, [broken]: value } })
        expect(free).toContain(broken)
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
    const config = { ...production, ...LIVE }
    expect(findChannelProblems(config, new Set(['api']))).toEqual([])
    expect(listChannels({ config }).map(({ manifest }) => manifest.name)).toEqual(PAYMENT_COMPANIES.map(({ name }) => name))
    // Stand-ins do not count as real.
    expect(listChannels({ config: { ...production, ...CREDENTIALS } })).toEqual([])
  })
})
