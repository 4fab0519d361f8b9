import { describe, expect, test } from 'vitest'
import { LANGS } from '#platform/shared/texts.ts'
import { CHANNEL_TYPES, PAY_FORMS } from '../../words.ts'
import { channelById, channelByName, channels, refuseSandboxes } from './index.ts'
import type { ChannelTools } from './port.ts'

const tools = { now: () => new Date(), secret: () => Buffer.alloc(32), publicUrl: () => 'https://shop.example' } as unknown as ChannelTools
const raw = (body: string, headers = {}) => ({ params: {}, query: {}, headers, body: Buffer.from(body), ip: '', requestId: '' })

test('numbers and names are each used once', () => {
  expect(new Set(channels.map(({ manifest }) => manifest.id)).size).toBe(channels.length)
  expect(new Set(channels.map(({ manifest }) => manifest.name)).size).toBe(channels.length)
})

describe.each(channels.map((channel) => [channel.manifest.name, channel] as const))('%s', (name, channel) => {
  test('says what the pages and the notice address need', () => {
    const { manifest } = channel
    expect([channelById(manifest.id), channelByName(name)]).toEqual([channel, channel])
    expect(manifest.id).toBeGreaterThan(0)
    expect(manifest.id).toBeLessThanOrEqual(CHANNEL_TYPES)
    expect(name).toMatch(/^[a-z0-9-]+$/)
    for (const method of manifest.methods) {
      for (const lang of LANGS) expect(method.label[lang]).not.toBe('')
      expect(method.icon).toMatch(/^<svg [^]+<\/svg>$/)
      expect(method.icon).not.toMatch(/<script|\son\w+=|href=/i)
      expect(Object.values(method.forms).every((form) => PAY_FORMS.includes(form))).toBe(true)
      expect(Object.keys(method.forms)).not.toEqual([])
    }
  })
  test('believes nothing unsigned, and its three answers differ', () => {
    for (const body of ['', '{}', 'null', '[]', '<xml/>', 'a=b']) expect(channel.readNotice(tools, raw(body))).toBeUndefined()
    const answers = (['done', 'retry', 'forged'] as const).map((outcome) => channel.acknowledge(outcome))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(3)
    expect(answers[0]!.status).toBe(200)
    expect(answers[2]!.status).toBeGreaterThanOrEqual(400)
  })
  test('a sandbox has its outside, and a real channel has none', () => {
    expect(channel.outside !== undefined).toBe(channel.manifest.sandbox)
  })
})

test('production needs a sandbox allowed by name', () => {
  expect(() => refuseSandboxes({ STAGE: 'production', ALLOW_SANDBOX: [] as string[] } as Parameters<typeof refuseSandboxes>[0])).toThrow(
    'ALLOW_SANDBOX=payment',
  )
})
