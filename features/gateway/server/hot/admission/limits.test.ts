import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { isInBlockList, createBlockList } from '../http/address.ts'
import type { QuotaRefusal } from '../deps.ts'
import type { GatewayCall } from '../call.ts'
import { MAX_FREE_CALLS, isWithinFreeLimit } from './free-limit.ts'
import { formatResetDuration } from '../reply/reply.ts'
import { isModelAllowed } from './limits.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { CHAT_USAGE } from '../testing/transcripts.ts'

let lab: Lab
beforeEach(async () => {
  lab = await openLab()
  lab.upstream.answer = (_seen, socket) => {
    socket.write(formatHttpJson(COMPLETION))
  }
})
afterEach(() => lab.close())

const COMPLETION = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
}
const aQuotaRefusal = (by: QuotaRefusal['by'], retryMs: number | undefined): QuotaRefusal => ({ by, limit: 5_000_000_000n, used: 4_900_000_000n, retryMs })
const parseError = (body: string) => JSON.parse(body).error

describe('a key that is not counted', () => {
  it('skips the quota and gets no rate limit headers', async () => {
    const { status, headers } = await callLab(lab, { body: CHAT_REQUEST })
    expect([status, lab.quota.asks.length]).toEqual([200, 0])
    expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([])
    lab.limit({ models: ['m'] })
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
    expect(lab.quota.asks).toEqual([])
  })
})

describe('calls that operators have frozen', () => {
  it('are refused by name, before any limit of the key, with where to ask', async () => {
    lab.limit({ callsFrozen: true, disabled: true })
    const { status, headers, body } = await callLab(lab, { body: CHAT_REQUEST })
    expect([status, headers['x-should-retry'], parseError(body).code]).toEqual([403, 'false', 'account_calls_frozen'])
    expect(parseError(body).message).toContain('support@example.test')
    expect(lab.quota.asks).toEqual([])
  })
})

describe('expiry', () => {
  it('holds from its millisecond on', async () => {
    const at = Date.now() + 60_000
    lab.limit({ expiresAt: at })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(at - 1)
    try {
      expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
      clock.mockReturnValue(at)
      const { status, headers, body } = await callLab(lab, { body: CHAT_REQUEST })
      expect([status, headers['x-should-retry'], parseError(body).code]).toEqual([401, 'false', 'api_key_expired'])
      expect(parseError(body).message).toContain(`https://example.test/api?key=${TEST_KEY}`)
    } finally {
      clock.mockRestore()
    }
    expect(lab.upstream.seen).toHaveLength(1)
  })
})

describe('networks', () => {
  const from = (address: string) => callLab(lab, { body: CHAT_REQUEST, headers: { 'x-forwarded-for': address } })

  it.each([
    ['203.0.113.0/24', '203.0.113.255', '203.0.114.0'],
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ['2001:db8::/33', '2001:db8:7fff:ffff::1', '2001:db8:8000::1'],
    ['2001:DB8::7', '2001:db8:0:0::0007', '2001:db8::8'],
  ])('%s lets %s in and keeps %s out', async (network, inside, outside) => {
    lab.limit({ networks: createBlockList([network]) })
    expect((await from(inside)).status).toBe(200)
    const { status, headers, body } = await from(outside)
    expect([status, headers['x-should-retry'], parseError(body).code]).toEqual([401, 'false', 'ip_not_authorized'])
  })

  it('the client address is the last hop that a trusted proxy wrote, not what the client wrote before it', async () => {
    lab.limit({ networks: createBlockList(['203.0.113.7']) })
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(401)
    expect((await from('198.51.100.1, 203.0.113.7')).status).toBe(200)
    expect((await from('203.0.113.7, 127.0.0.1')).status).toBe(200)
    expect((await from('203.0.113.7, rubbish')).status).toBe(401)
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(401)
    lab.limit({ networks: createBlockList(['127.0.0.1']) })
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
  })

  it('IPv4 written as IPv6 is IPv4, and no IPv4 network holds an IPv6 address', () => {
    expect(isInBlockList(createBlockList(['0.0.0.0/0']), '2001:db8::1')).toBe(false)
    expect(isInBlockList(createBlockList(['::/0']), '2001:db8::1')).toBe(true)
    expect(isInBlockList(createBlockList(['10.0.0.0/8']), '')).toBe(false)
  })
})

describe('models', () => {
  it('a key limited to models may not name others in a step of the request, either', async () => {
    lab.models.set('other', { ...lab.models.get('m')!, id: 'other' })
    lab.limit({ models: ['m'] })
    const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
    for (const more of [{ tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'other' }] }, { fallbacks: [{ model: 'other' }] }]) {
      const { status, body } = await callLab(lab, { path: '/v1/messages', body: JSON.stringify({ ...ask, ...more }) })
      expect([status, parseError(body).message]).toEqual([403, expect.stringContaining('may not use the model `other`')])
    }
    expect(lab.upstream.seen).toEqual([])
  })

  it('patterns match ids, vendors and prefixes of ids; lists show the matches alone', async () => {
    const model = { id: 'gpt-6-luna', vendor: 'openai' }
    for (const pattern of ['gpt-6-luna', 'openai/*', 'gpt-6*', 'openai/gpt-6*']) expect(isModelAllowed([pattern], model)).toBe(true)
    for (const pattern of ['gpt-6', 'anthropic/*', 'gpt-6-luna-mini*', 'openai/']) expect(isModelAllowed([pattern], model)).toBe(false)
    lab.models.set('other', { ...lab.models.get('m')!, id: 'other', vendor: 'anthropic' })
    lab.limit({ models: ['openai/*'] })
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
    const { status, headers, body } = await callLab(lab, { body: { ...CHAT_REQUEST, model: 'other' } })
    expect([status, headers['x-should-retry'], parseError(body).code, parseError(body).param]).toEqual([403, 'false', 'model_not_allowed', 'model'])
    const list = await callLab(lab, { path: '/v1/models' })
    expect(JSON.parse(list.body).data.map((one: { id: string }) => one.id)).toEqual(['m'])
    expect((await callLab(lab, { path: '/v1/models/other' })).status).toBe(404)
    expect((await callLab(lab, { path: '/v1/messages/count_tokens', body: { model: 'other', messages: [] } })).status).toBe(403)
  })
})

describe('a key that is counted', () => {
  const standing = { requests: { limit: 60, left: 41, resetMs: 60_000 }, tokens: { limit: 9_000, left: 12, resetMs: 1_500 } }

  it('is counted before the dial with the most it may cost, and ended once its row is durable, before its last byte', async () => {
    lab.limit({ counted: true })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE, 5))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).status).toBe(200)
    expect(lab.quota.asks).toMatchObject([{ held: lab.journal.reserved[0]!.held, callId: lab.journal.reserved[0]!.callId }])
    expect(lab.quota.asks[0]!.tokens).toBe(Math.ceil(JSON.stringify(CHAT_STREAM_REQUEST).length / 3) + 100)
    expect(lab.journal.events).toEqual(['take', 'reserve', 'reserved', 'settle', 'settled', 'end'])
    expect(lab.quota.ends).toMatchObject([{ tokens: 120 }])
  })

  it('gives its place back when there is no money, and when the upstream fails', async () => {
    lab.limit({ counted: true })
    lab.journal.admitAs = 'insufficient_balance'
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(429)
    expect(lab.quota.ends).toMatchObject([{ tokens: 0 }])
    lab.journal.admitAs = { leaseId: 1n }
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ error: { message: 'no' } }, 500))
    }
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(502)
    expect(lab.quota.ends).toHaveLength(2)
  })

  it('has the vendors’ headers on every answer', async () => {
    lab.limit({ counted: true })
    lab.quota.standing = standing
    const openai = {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '41',
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-limit-tokens': '9000',
      'x-ratelimit-remaining-tokens': '12',
      'x-ratelimit-reset-tokens': '1.5s',
    }
    expect((await callLab(lab, { body: CHAT_REQUEST })).headers).toMatchObject(openai)
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE, 5))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).headers).toMatchObject(openai)
    lab.journal.admitAs = 'insufficient_balance'
    expect((await callLab(lab, { body: CHAT_REQUEST })).headers).toMatchObject(openai)
    const { headers } = await callLab(lab, { path: '/v1/messages', body: CHAT_REQUEST })
    expect(headers).toMatchObject({ 'anthropic-ratelimit-requests-limit': '60', 'anthropic-ratelimit-tokens-remaining': '12' })
    expect(Date.parse(headers['anthropic-ratelimit-requests-reset'] as string) - Date.now()).toBeGreaterThan(50_000)
    expect([formatResetDuration(0), formatResetDuration(17), formatResetDuration(1_500), formatResetDuration(61_000)]).toEqual(['0ms', '17ms', '1.5s', '1m1s'])
  })

  it('answers 503 when nothing can be counted, and dials no upstream', async () => {
    lab.limit({ counted: true })
    const { quota } = lab.deps as { quota: { take: unknown } }
    quota.take = () => Promise.reject(new Error('away'))
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(503)
    expect([lab.upstream.seen.length, lab.journal.events.length]).toEqual([0, 0])
  })
})

describe('refusals as the SDKs see them', () => {
  const at = () => `http://127.0.0.1:${lab.port}`
  const openai = (maxRetries = 2) => new OpenAI({ apiKey: TEST_KEY, baseURL: `${at()}/v1`, maxRetries }).chat.completions.create(CHAT_REQUEST as never)
  const anthropic = (maxRetries = 2) => new Anthropic({ apiKey: TEST_KEY, baseURL: at(), maxRetries }).messages.create(CHAT_REQUEST as never)
  const google = () => new GoogleGenAI({ apiKey: TEST_KEY, httpOptions: { baseUrl: at() } }).models.generateContent({ model: 'm', contents: 'x' })

  it.each([
    ['requests', { type: 'requests', code: 'rate_limit_exceeded' }, 'requests_per_minute', 'RATE_LIMIT_EXCEEDED'],
    ['tokens', { type: 'tokens', code: 'rate_limit_exceeded' }, 'tokens_per_minute', 'RATE_LIMIT_EXCEEDED'],
    ['concurrency', { type: 'concurrency', code: 'rate_limit_exceeded' }, 'concurrent_requests', 'RATE_LIMIT_EXCEEDED'],
  ] as const)(
    '%s: a refusal may be retried after a while',
    async (by, error, detail, reason) => {
      lab.limit({ counted: true })
      lab.quota.refusal = aQuotaRefusal(by, 20)
      const retries = by === 'requests' ? 1 : 0
      const failure = await openai(retries).catch((caught: unknown) => caught)
      expect(failure).toBeInstanceOf(OpenAI.RateLimitError)
      expect(failure).toMatchObject({ status: 429, ...error })
      expect((failure as { headers: Headers }).headers.get('retry-after')).toBe('1')
      // The SDK retries by itself if the header allows it.
      expect(lab.quota.asks).toHaveLength(1 + retries)
      const other = await anthropic(0).catch((caught: unknown) => caught)
      expect(other).toBeInstanceOf(Anthropic.RateLimitError)
      expect(other).toMatchObject({ error: { error: { type: 'rate_limit_error', details: { error_code: detail } } } })
      const third = (await google().catch((caught: unknown) => caught)) as Error & { status: number }
      expect(third.status).toBe(429)
      expect(third.message).toContain(reason)
      expect(third.message).toContain('"retryDelay":"1s"')
    },
    30_000,
  )

  it.each([
    ['day', 'key_day_budget_exceeded', 'DAY_BUDGET'],
    ['month', 'key_month_budget_exceeded', 'MONTH_BUDGET'],
  ] as const)('budget of a %s: the SDKs do not retry a refusal', async (by, code, reason) => {
    lab.limit({ counted: true })
    lab.quota.refusal = aQuotaRefusal(by, undefined)
    const failure = (await openai().catch((caught: unknown) => caught)) as Error
    expect(failure).toMatchObject({ status: 429, type: 'insufficient_quota', code })
    expect(failure.message).toContain(`budget of $5.0000 a ${by}`)
    expect(failure.message).toContain(`?key=${TEST_KEY}`)
    expect(lab.quota.asks).toHaveLength(1)
    expect(await anthropic().catch((caught: unknown) => caught)).toMatchObject({
      status: 429,
      error: { error: { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } } },
    })
    expect(lab.quota.asks).toHaveLength(2)
    expect(((await google().catch((caught: unknown) => caught)) as Error).message).toContain(reason)
  })

  it('refusals of a call larger than a minute’s limit, of a model, a network and an expired key are not retried', async () => {
    let heads = 0
    lab.limit({ counted: true })
    lab.quota.refusal = aQuotaRefusal('tokens', undefined)
    await expect(openai()).rejects.toMatchObject({ status: 429, type: 'tokens' })
    expect(lab.quota.asks).toHaveLength(1)
    const find = lab.deps.findKey
    Object.assign(lab.deps, {
      findKey: (secret: string) => {
        heads++
        return find(secret)
      },
    })
    lab.limit({ models: ['other'] })
    await expect(openai()).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' })
    await expect(anthropic()).rejects.toMatchObject({ status: 403, error: { error: { type: 'permission_error' } } })
    await expect(google()).rejects.toMatchObject({ status: 403 })
    lab.limit({ networks: createBlockList(['203.0.113.7']) })
    await expect(openai()).rejects.toMatchObject({ status: 401, code: 'ip_not_authorized' })
    await expect(anthropic()).rejects.toMatchObject({ status: 403, error: { error: { details: { error_code: 'ip_not_authorized' } } } })
    await expect(google()).rejects.toThrow('API_KEY_IP_ADDRESS_BLOCKED')
    lab.limit({ expiresAt: 1 })
    await expect(openai()).rejects.toMatchObject({ status: 401, code: 'api_key_expired' })
    await expect(anthropic()).rejects.toMatchObject({ status: 401 })
    await expect(google()).rejects.toThrow('API_KEY_EXPIRED')
    expect(heads).toBe(9)
  })
})

describe('free calls', () => {
  it('do not count as requests, and are limited separately', async () => {
    lab.limit({ counted: true, requestsMinute: 1 })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ input_tokens: 3 }))
    }
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    try {
      const count = () => callLab(lab, { path: '/v1/messages/count_tokens', body: { model: 'm', messages: [] } })
      expect((await count()).status).toBe(200)
      expect((await callLab(lab, { path: '/v1/models' })).status).toBe(200)
      expect(lab.quota.asks).toEqual([])
      for (let i = 2; i < MAX_FREE_CALLS; i++) expect(isWithinFreeLimit({ apiKey: { keyId: TEST_KEY } } as GatewayCall)).toBe(true)
      const { status, headers } = await count()
      expect([status, headers['retry-after']]).toEqual([429, '10'])
      expect((await callLab(lab, { body: CHAT_REQUEST })).status).not.toBe(429)
      clock.mockReturnValue(Date.now() + 10_000)
      expect((await count()).status).toBe(200)
    } finally {
      clock.mockRestore()
    }
  })
})

describe('limits of an account', () => {
  const open = async (share: { requestsMinute: number; atOnce: number }) => {
    await lab.close()
    lab = await openLab({ accountShare: () => ({ nodes: 1, atRisk: undefined, ...share }), limits: { upstreamMs: 60_000 } })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(COMPLETION))
    }
  }

  it('requests a minute: a refusal has the rate limit headers that SDKs know, earlier answers do not', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Math.floor(Date.now() / 60_000) * 60_000 + 30_000)
    const answers = []
    try {
      await open({ requestsMinute: 3, atOnce: Infinity })
      for (let n = 0; n < 4; n++) answers.push(await callLab(lab, { body: CHAT_REQUEST }))
    } finally {
      clock.mockRestore()
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Object.keys(answers[2]!.headers).filter((name) => name.includes('ratelimit'))).toEqual([])
    const { headers, body } = answers[3]!
    expect([headers['x-ratelimit-limit-requests'], headers['x-ratelimit-remaining-requests'], Number(headers['retry-after']) > 0]).toEqual(['3', '0', true])
    expect(parseError(body)).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded', message: expect.stringContaining('3 requests in a minute') })
    expect(lab.upstream.seen).toHaveLength(3)
  })

  it('the minute slides: half a minute later, half of the used requests count', async () => {
    const begin = Math.floor(Date.now() / 60_000) * 60_000
    const clock = vi.spyOn(Date, 'now').mockReturnValue(begin + 59_000)
    try {
      await open({ requestsMinute: 4, atOnce: Infinity })
      const statuses = async (count: number) => {
        const seen = []
        for (let n = 0; n < count; n++) seen.push((await callLab(lab, { body: CHAT_REQUEST })).status)
        return seen
      }
      expect(await statuses(5)).toEqual([200, 200, 200, 200, 429])
      clock.mockReturnValue(begin + 60_000 + 30_000)
      expect(await statuses(3)).toEqual([200, 200, 429])
      clock.mockReturnValue(begin + 60_000 * 5)
      expect(await statuses(5)).toEqual([200, 200, 200, 200, 429])
    } finally {
      clock.mockRestore()
    }
  })

  it('calls at once: those under way keep their place to their end, whatever their keys are', async () => {
    await open({ requestsMinute: Infinity, atOnce: 2 })
    const waiting: (() => void)[] = []
    lab.upstream.answer = (_seen, socket) => void waiting.push(() => socket.write(formatHttpJson(COMPLETION)))
    const first = [callLab(lab, { body: CHAT_REQUEST }), callLab(lab, { body: CHAT_REQUEST })]
    await vi.waitFor(() => expect(waiting).toHaveLength(2), { timeout: PATIENCE_MS })
    const { status, body } = await callLab(lab, { body: CHAT_REQUEST })
    expect([status, parseError(body).type]).toEqual([429, 'concurrency'])
    for (const answer of waiting.splice(0)) answer()
    expect((await Promise.all(first)).map((one) => one.status)).toEqual([200, 200])
    const again = callLab(lab, { body: CHAT_REQUEST })
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: PATIENCE_MS })
    waiting[0]!()
    expect((await again).status).toBe(200)
  })

  it('money held by calls under way: a call is refused for concurrency, not for a low balance; before a large body is read, too', async () => {
    await open({ requestsMinute: Infinity, atOnce: Infinity })
    lab.journal.admitAs = 'too_much_held'
    const large = { ...CHAT_REQUEST, user: 'x'.repeat(2_000_000) }
    for (const asked of [CHAT_REQUEST, large]) {
      const { status, headers, body } = await callLab(lab, { body: asked })
      expect([status, headers['retry-after']]).toEqual([429, '1'])
      expect(parseError(body)).toMatchObject({ type: 'concurrency', message: expect.stringContaining('hold as much money') })
    }
    expect(lab.upstream.seen).toHaveLength(0)
  })
})
