import { afterEach, describe, expect, it } from 'vitest'
import type { ApiKey, Lease, GatewayModel, FundsRefusal } from '../deps.ts'
import { CHAT_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { LabAnswer, Lab } from '../testing/lab.ts'

/**
 * Prices in dollars per million tokens: input at most 30 (audio), output at most 60 (audio); 128,000 tokens of window, 16,384 of answer.
 */
const USD = 1_000_000_000n
let lab: Lab
afterEach(async () => {
  await lab.close()
})

/** A lab whose journal can promise `balance`, and grants a part of it to a call that accepts less. */
async function withBalance(balance: bigint, model: Partial<GatewayModel> = {}): Promise<{ free: () => bigint }> {
  lab = await openLab({ model })
  let free = balance
  Object.assign(lab.deps.journal, {
    admit: (_key: ApiKey, amount: bigint, least = amount): Lease | FundsRefusal => {
      const granted = amount <= free ? amount : free
      if (granted < least) return 'insufficient_balance'
      free -= granted
      return granted === amount ? { leaseId: 1n } : { leaseId: 1n, granted }
    },
    free: () => free,
  })
  return { free: () => free }
}

const PATHS = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  claude: '/v1/messages',
  gemini: '/v1beta/models/m:generateContent',
}
const sendCall = (path: keyof typeof PATHS, body: unknown, headers: Record<string, string> = {}): Promise<LabAnswer> =>
  callLab(lab, { path: PATHS[path], body, headers })
const readLastHeld = (): bigint => lab.journal.reserved.at(-1)!.held
const readLastSentBody = (): Record<string, any> => JSON.parse(lab.upstream.seen.at(-1)!.body.toString()) as Record<string, any>
const messages = [{ role: 'user', content: 'Hello' }]

describe('a hold is the worst case of the call as it is sent', () => {
  it('without a cap it is the model’s own maximum, and no byte is changed', async () => {
    await withBalance(100n * USD)
    const body = { model: 'm', messages }
    const answer = await sendCall('chat', body)
    expect(answer.headers['x-mingxi-output-cap']).toBeUndefined()
    expect(readLastHeld()).toBeGreaterThanOrEqual((16_384n * 60n * USD) / 1_000_000n)
    expect(readLastSentBody()).toEqual(body)
  })

  it.each<[string, keyof typeof PATHS, unknown]>([
    [
      'a file by URL',
      'responses',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://example.test/a.pdf' }] }], max_output_tokens: 1 },
    ],
    [
      'a document by URL',
      'claude',
      { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://example.test/a' } }] }] },
    ],
    [
      'a film',
      'gemini',
      { contents: [{ parts: [{ fileData: { fileUri: 'https://example.test/a', mimeType: 'video/mp4' } }] }], generationConfig: { maxOutputTokens: 1 } },
    ],
  ])('%s holds the window', async (_, path, body) => {
    await withBalance(100n * USD)
    await sendCall(path, body)
    expect(readLastHeld()).toBeGreaterThanOrEqual((128_000n * 30n * USD) / 1_000_000n)
  })

  it('text holds a token a byte', async () => {
    await withBalance(100n * USD)
    await sendCall('chat', { model: 'm', messages: [{ role: 'user', content: '9'.repeat(30_000) }], max_tokens: 1 })
    expect(readLastHeld()).toBeGreaterThanOrEqual((30_000n * 30n * USD) / 1_000_000n)
  })

  it('a cap that is repeated, or not a number, is held at its more expensive reading', async () => {
    await withBalance(100n * USD)
    const expensive = (16_384n * 60n * USD) / 1_000_000n
    for (const cap of ['"max_tokens":1,"max_tokens":null', '"max_tokens":"1"', '"max_tokens":-1', '"max_tokens":1e400', '"max_tokens":1,"max_tokens":16384']) {
      await sendCall('chat', `{"model":"m","messages":[],${cap}}`)
      expect(readLastHeld()).toBeGreaterThanOrEqual(expensive)
    }
    for (const config of [
      '"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9999999}',
      '"generationConfig":{"maxOutputTokens":1},"generation_config":{}',
    ]) {
      await sendCall('gemini', `{"contents":[],${config}}`)
      expect(readLastHeld()).toBeGreaterThanOrEqual(expensive)
    }
  })

  it('a request for several answers holds for each, by the larger of two counts', async () => {
    await withBalance(1_000n * USD)
    await sendCall('chat', '{"model":"m","messages":[],"max_tokens":1000,"n":8,"n":1}')
    expect(readLastHeld()).toBeGreaterThanOrEqual((8_000n * 60n * USD) / 1_000_000n)
    await sendCall('gemini', '{"contents":[],"generationConfig":{"maxOutputTokens":1000,"candidateCount":1,"candidate_count":8}}')
    expect(readLastHeld()).toBeGreaterThanOrEqual((8_000n * 60n * USD) / 1_000_000n)
  })

  it('Anthropic’s betas widen the window and the answer', async () => {
    await withBalance(100n * USD)
    const document = { type: 'document', source: { type: 'url', url: 'https://example.test/a' } }
    const body = { model: 'm', max_tokens: 100_000, messages: [{ role: 'user', content: [document] }] }
    await sendCall('claude', body)
    const plain = readLastHeld()
    await sendCall('claude', body, { 'anthropic-beta': 'context-1m-2025-08-07' })
    expect(readLastHeld()).toBeGreaterThan(plain * 5n)
    await sendCall('claude', { ...body, messages }, { 'anthropic-beta': 'output-128k-2025-02-19' })
    expect(readLastHeld()).toBeGreaterThanOrEqual((100_000n * 60n * USD) / 1_000_000n)
  })
})

describe('a balance below the maximum', () => {
  const cases: readonly [keyof typeof PATHS, object, (body: Record<string, any>) => unknown][] = [
    ['chat', { model: 'm', messages }, (body) => body['max_completion_tokens']],
    ['chat', { model: 'm', messages, max_completion_tokens: null }, (body) => body['max_completion_tokens']],
    ['responses', { model: 'm', input: 'Hello' }, (body) => body['max_output_tokens']],
    ['responses', { model: 'm', input: 'Hello', max_output_tokens: null }, (body) => body['max_output_tokens']],
    ['claude', { model: 'm', messages }, (body) => body['max_tokens']],
    ['gemini', { contents: [] }, (body) => body['generationConfig'].maxOutputTokens],
    ['gemini', { contents: [], generationConfig: {} }, (body) => body['generationConfig'].maxOutputTokens],
    ['gemini', { contents: [], generation_config: { temperature: 0 } }, (body) => body['generation_config'].maxOutputTokens],
  ]
  it.each(cases)('%s: a cap that the balance covers is written into %j and returned in a header', async (path, body, capOf) => {
    const purse = await withBalance(USD / 2n)
    const answer = await sendCall(path, body)
    const cap = Number(answer.headers['x-mingxi-output-cap'])
    expect(cap).toBeGreaterThan(1_024)
    expect(capOf(readLastSentBody())).toBe(cap)
    expect(readLastHeld()).toBe(USD / 2n)
    // One more token would not be covered.
    expect((BigInt(cap) * 60n * USD) / 1_000_000n).toBeLessThanOrEqual(USD / 2n)
    expect((BigInt(cap + 1_200) * 60n * USD) / 1_000_000n).toBeGreaterThan(USD / 2n)
    expect(purse.free()).toBe(0n)
  })

  it('a stream is capped too, still requests usage and names the upstream’s model', async () => {
    lab = await openLab({ upstreamModel: 'other-name' })
    Object.assign(lab.deps.journal, { admit: () => ({ leaseId: 1n, granted: USD / 4n }) })
    await sendCall('chat', { stream: true, model: 'm', messages })
    expect(readLastSentBody()).toMatchObject({
      model: 'other-name',
      stream_options: { include_usage: true },
      max_completion_tokens: expect.any(Number) as number,
    })
  })

  it('a translated call gets its cap in the upstream’s own field', async () => {
    await withBalance(USD / 2n, { dialects: new Set(['anthropic-messages']), vendor: 'anthropic' })
    const answer = await sendCall('chat', { model: 'm', messages })
    expect(readLastSentBody()['max_tokens']).toBe(Number(answer.headers['x-mingxi-output-cap']))
  })

  it('a cap that the client named is never lowered: the refusal says what is missing and which cap would do', async () => {
    await withBalance(USD / 2n)
    const answer = await sendCall('chat', { ...CHAT_REQUEST, max_tokens: 16_000 })
    expect(answer.status).toBe(429)
    expect(answer.headers['x-should-retry']).toBe('false')
    const { message, code } = (JSON.parse(answer.body) as { error: { message: string; code: string } }).error
    expect(code).toBe('credit_balance_exhausted')
    const figures = /may cost \$([\d.]+).*\$0\.5 of your balance is free, so \$([\d.]+) is missing.*`max_tokens` to (\d+) or less/.exec(message)!
    expect(Number(figures[1]) - Number(figures[2])).toBeCloseTo(0.5, 9)
    expect((await sendCall('chat', { ...CHAT_REQUEST, max_tokens: Number(figures[3]) })).status).not.toBe(429)
    expect(lab.journal.reserved).toHaveLength(1)
  })

  it('a balance for fewer than 1,024 tokens of answer is refused with the missing sum', async () => {
    await withBalance(USD / 50n)
    const answer = await sendCall('claude', { model: 'm', messages })
    expect(answer.status).toBe(402)
    expect(answer.body).toMatch(
      /at least 1,024 of output\. \$0\.02 of your balance is free, so \$0\.0\d+ is missing\. Add credit at .*, or send a shorter input/,
    )
    expect(lab.upstream.seen).toHaveLength(0)
  })

  it('the vendor’s own tools get a limit where the request names none', async () => {
    await withBalance(1_000n * USD)
    const tools = [{ type: 'mcp', server_label: 's', server_url: 'https://example.test' }]
    await sendCall('responses', { model: 'm', input: 'x', max_output_tokens: 10, tools })
    expect(readLastSentBody()['max_tool_calls']).toBe(10)
    expect(readLastHeld()).toBeGreaterThanOrEqual((11n * 128_000n * 30n * USD) / 1_000_000n)
    await sendCall('responses', { model: 'm', input: 'x', max_output_tokens: 10, tools, max_tool_calls: 2 })
    expect(readLastSentBody()['max_tool_calls']).toBe(2)
  })
})

describe('text too expensive at a token a byte', () => {
  const long = { model: 'm', messages: [{ role: 'user', content: 'A sentence of ordinary words. '.repeat(1_000) }], max_tokens: 100 }
  const counting = (tokens: number | undefined): { asked: Buffer[] } => {
    const asked: Buffer[] = []
    Object.assign(lab.deps, {
      countTokens: async (text: Buffer) => {
        asked.push(text)
        return tokens
      },
    })
    return { asked }
  }
  it('is counted, and held as counted', async () => {
    await withBalance(USD / 2n)
    const { asked } = counting(7_000)
    await sendCall('chat', long)
    expect(asked.map(String)).toEqual([JSON.stringify(long)])
    expect(readLastHeld()).toBeGreaterThanOrEqual((7_100n * 30n * USD) / 1_000_000n)
    expect(readLastHeld()).toBeLessThan((8_000n * 30n * USD) / 1_000_000n)
  })
  it('is counted without its pictures', async () => {
    await withBalance(USD)
    const { asked } = counting(7_000)
    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(50_000)}` } }
    await sendCall('chat', { ...long, messages: [...long.messages, { role: 'user', content: [picture] }] })
    expect(asked[0]!.length).toBeLessThan(31_000)
    expect(asked[0]!.toString()).toContain('"url":""')
  })
  it('is not counted when the balance is too low even at the densest count, or when it is short', async () => {
    await withBalance(USD / 100n)
    const { asked } = counting(1)
    expect((await sendCall('chat', long)).status).toBe(429)
    expect((await sendCall('chat', { ...CHAT_REQUEST, max_tokens: 16_000 })).status).toBe(429)
    expect(asked).toEqual([])
  })
  it('is refused where counting is too busy', async () => {
    await withBalance(USD / 2n)
    counting(undefined)
    expect((await sendCall('chat', long)).status).toBe(429)
  })
  it('a call without a cap is counted before its answer is cut short', async () => {
    await withBalance(USD)
    const { asked } = counting(7_000)
    const answer = await sendCall('chat', { model: 'm', messages: long.messages })
    expect(asked).toHaveLength(1)
    expect(Number(answer.headers['x-mingxi-output-cap'])).toBeGreaterThan(12_000)
  })
})

describe('a key’s budget', () => {
  it('caps a call without a cap at a part of what is left', async () => {
    await withBalance(100n * USD)
    lab.limit({ counted: true, budget: true })
    const { quota } = lab
    const take = lab.deps.quota!.take
    Object.assign(lab.deps.quota!, {
      take: (one: Parameters<typeof take>[0]) => {
        quota.refusal = one.held > USD / 4n ? { by: 'day', limit: USD, used: USD / 2n, retryMs: undefined } : undefined
        return take(one)
      },
    })
    const answer = await sendCall('chat', { model: 'm', messages })
    expect(readLastHeld()).toBe(USD / 8n)
    expect(Number(answer.headers['x-mingxi-output-cap'])).toBeGreaterThan(1_024)
    expect(lab.quota.asks.map(({ held: asked }) => asked < USD / 4n)).toEqual([false, true])
    expect((await sendCall('chat', { ...CHAT_REQUEST, max_tokens: 16_000 })).body).toContain('key_day_budget_exceeded')
  })
})
