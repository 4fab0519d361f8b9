import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayModel, ModelPrices } from '../deps.ts'
import { sumUsageLines } from './pricing.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { PRICES, aModel } from '../testing/fake-deps.ts'
import { ALL_PRICES, PROMPT_PRICES, DIALECT_SAMPLES } from '../testing/priced.ts'

let lab: Lab
const open = async (prices: ModelPrices = ALL_PRICES, over: Partial<GatewayModel> = {}): Promise<Lab> => {
  lab = await openLab({ model: { prices, ...over } })
  return lab
}
afterEach(() => lab.close())

interface Case {
  readonly ask?: object
  readonly usage?: object
  readonly rest?: object
  readonly prices?: ModelPrices
}
type Name = keyof typeof DIALECT_SAMPLES
const ways = [
  ['whole', false],
  ['streamed', true],
] as const

/** Sends the request of a case, answers with its usage, and returns the lines of the row. */
async function settleCase(dialect: Name, { ask, usage, rest, prices }: Case, stream: boolean): Promise<readonly (readonly [string, number, bigint, bigint])[]> {
  await open(prices)
  const spoken = DIALECT_SAMPLES[dialect]
  lab.upstream.answer = (_seen, socket) => {
    socket.write(stream ? formatHttpEvents(spoken.events({ usage, rest })) : formatHttpJson(spoken.whole({ usage, rest })))
  }
  const path = stream && 'streamPath' in spoken ? spoken.streamPath : spoken.path
  const answer = await callLab(lab, { path, body: { ...spoken.body, ...ask, ...(stream && dialect !== 'gemini' ? { stream: true } : {}) } })
  expect(answer.status, answer.body).toBe(200)
  const settled = lab.journal.settled[0]!
  expect(settled.provenance).toBe('upstream')
  expect(settled.amount).toBe(sumUsageLines(settled.lines))
  return settled.lines.map(({ kind, tokens, unitPrice, amount }) => [kind, tokens, unitPrice, amount] as const)
}

const buildTokenLines = (times: number) => [
  ['input', 60, BigInt(Math.round(2_000_000_000 * times)), BigInt(Math.round(120_000 * times))],
  ['cachedInput', 40, BigInt(Math.round(200_000_000 * times)), BigInt(Math.round(8_000 * times))],
  ['output', 20, BigInt(Math.round(8_000_000_000 * times)), BigInt(Math.round(160_000 * times))],
]
const searchTool = { tools: [{ type: 'web_search' }] }
const claudeSearch = { tools: [{ type: 'web_search_20260318', name: 'web_search', max_uses: 3 }] }
const googleSearch = { tools: [{ google_search: {} }] }
const plain = { groundingMetadata: { webSearchQueries: ['a', 'b', ''], groundingChunks: [{ web: { uri: 'u' } }] } }

const PRICED: readonly (readonly [string, Name, Case, unknown[]])[] = [
  [
    'a tier that the vendor gave',
    'chat',
    { ask: { service_tier: 'priority' }, rest: { service_tier: 'priority' } },
    [...buildTokenLines(2), ['priority', 0, 2_000_000_000n, 0n]],
  ],
  ['a tier that the vendor did not give', 'chat', { ask: { service_tier: 'priority' }, rest: { service_tier: 'default' } }, buildTokenLines(1)],
  ['a tier that was not requested', 'chat', { rest: { service_tier: 'priority' } }, [...buildTokenLines(2), ['priority', 0, 2_000_000_000n, 0n]]],
  ['flex', 'chat', { ask: { service_tier: 'flex' }, rest: { service_tier: 'flex' } }, [...buildTokenLines(0.5), ['flex', 0, 500_000_000n, 0n]]],
  [
    'fast is priority',
    'responses',
    { ask: { service_tier: 'fast' }, rest: { service_tier: 'priority' } },
    [...buildTokenLines(2), ['priority', 0, 2_000_000_000n, 0n]],
  ],
  ['flex that became standard', 'responses', { ask: { service_tier: 'flex' }, rest: { service_tier: 'default' } }, buildTokenLines(1)],
  [
    'searches, as the vendor counts them',
    'responses',
    { ask: searchTool, rest: { tool_usage: { web_search: { num_requests: 3 }, image_gen: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } } } },
    [...buildTokenLines(1), ['webSearches', 3, 10_000_000_000_000n, 30_000_000n]],
  ],
  [
    'searches, where the vendor does not count them: opened pages are none',
    'responses',
    {
      ask: searchTool,
      rest: {
        output: [
          { type: 'web_search_call', action: { type: 'search', query: 'x' } },
          { type: 'web_search_call', action: { type: 'open_page', url: 'u' } },
          { type: 'web_search_call', action: { type: 'search', query: '{"type":"open_page"}' } },
        ],
      },
    },
    [...buildTokenLines(1), ['webSearches', 2, 10_000_000_000_000n, 20_000_000n]],
  ],
  [
    'a code container of four gigabytes',
    'responses',
    {
      ask: { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }] },
      rest: {
        output: [
          { type: 'code_interpreter_call', container_id: 'c1' },
          { type: 'code_interpreter_call', container_id: 'c1' },
        ],
      },
    },
    [...buildTokenLines(1), ['containers', 4, 30_000_000_000_000n, 120_000_000n]],
  ],
  [
    'a cache of twelve hours',
    'responses',
    {
      ask: { prompt_cache_options: { ttl: '12h' } },
      usage: { input_tokens_details: { cached_tokens: 40, cache_write_tokens: 30, cache_write_tokens_details: { ttl_12h_tokens: 20, ttl_30m_tokens: 10 } } },
    },
    [
      ['input', 30, 2_000_000_000n, 60_000n],
      ['cachedInput', 40, 200_000_000n, 8_000n],
      ['cacheWrite5m', 10, 2_500_000_000n, 25_000n],
      ['cacheWrite12h', 20, 5_000_000_000n, 100_000n],
      ['output', 20, 8_000_000_000n, 160_000n],
    ],
  ],
  ['speed', 'messages', { ask: { speed: 'fast' }, usage: { speed: 'fast' } }, [...buildTokenLines(2), ['fast', 0, 2_000_000_000n, 0n]]],
  ['speed that was not given', 'messages', { ask: { speed: 'fast' }, usage: { speed: 'standard' } }, buildTokenLines(1)],
  ['a region', 'messages', { ask: { inference_geo: 'us' }, usage: { inference_geo: 'us' } }, [...buildTokenLines(1.1), ['us', 0, 1_100_000_000n, 0n]]],
  [
    'speed in a region',
    'messages',
    { ask: { inference_geo: 'us', speed: 'fast' }, usage: { inference_geo: 'us', speed: 'fast' } },
    [...buildTokenLines(2.2), ['fast', 0, 2_000_000_000n, 0n], ['us', 0, 1_100_000_000n, 0n]],
  ],
  [
    'searches, at the price of no tier',
    'messages',
    { ask: { ...claudeSearch, speed: 'fast' }, usage: { speed: 'fast', server_tool_use: { web_search_requests: 2, web_fetch_requests: 5 } } },
    [...buildTokenLines(2), ['webSearches', 2, 10_000_000_000_000n, 20_000_000n], ['fast', 0, 2_000_000_000n, 0n]],
  ],
  [
    'code, five minutes at least',
    'messages',
    { ask: { tools: [{ type: 'code_execution_20260521', name: 'c' }] }, rest: { container: { id: 'c', expires_at: '2026-11-22T00:00:00Z' } } },
    [...buildTokenLines(1), ['codeSeconds', 300, 13_888_888_889n, 4_166_667n]],
  ],
  [
    'code beside a search of since February: free of charge',
    'messages',
    {
      ask: { tools: [{ type: 'code_execution_20260521', name: 'c' }, claudeSearch.tools[0]] },
      rest: { container: { id: 'c', expires_at: '2026-11-22T00:00:00Z' } },
    },
    buildTokenLines(1),
  ],
  [
    'a tier of Google',
    'gemini',
    { ask: { service_tier: 'PRIORITY' }, usage: { serviceTier: 'priority' } },
    [...buildTokenLines(2), ['priority', 0, 2_000_000_000n, 0n]],
  ],
  ['a tier of Google Cloud', 'gemini', { usage: { trafficType: 'ON_DEMAND_FLEX' } }, [...buildTokenLines(0.5), ['flex', 0, 500_000_000n, 0n]]],
  ['each search query', 'gemini', { ask: googleSearch, rest: plain }, [...buildTokenLines(1), ['webSearches', 2, 10_000_000_000_000n, 20_000_000n]]],
  [
    'the grounded prompt, where prompts are billed',
    'gemini',
    { ask: googleSearch, rest: plain, prices: PROMPT_PRICES },
    [...buildTokenLines(1), ['groundedPrompts', 1, 35_000_000_000_000n, 35_000_000n]],
  ],
  [
    'maps',
    'gemini',
    { ask: { tools: [{ googleMaps: {} }] }, rest: { groundingMetadata: { groundingChunks: [{ maps: { uri: 'u' } }] } } },
    [...buildTokenLines(1), ['mapPrompts', 1, 25_000_000_000_000n, 25_000_000n]],
  ],
]

describe.each(ways)('separately priced usage is on the row, %s', (_way, stream) => {
  it.each(PRICED)('%s (%s)', async (_name, dialect, asked, expected) => {
    expect(await settleCase(dialect, asked, stream)).toEqual(expected)
  })

  it('a picture made by a tool is a step on its own model', async () => {
    await open()
    lab.models.set(
      'gpt-image-2',
      aModel('gpt-image-2', [], {
        kind: 'image',
        prices: { ...PRICES, imageInput: 8_000_000_000n, cachedImage: 2_000_000_000n, imageOutput: 30_000_000_000n },
      }),
    )
    const spoken = DIALECT_SAMPLES.responses
    const rest = {
      output: [{ type: 'image_generation_call', result: 'AAAA' }],
      tool_usage: {
        web_search: { num_requests: 0 },
        image_gen: {
          input_tokens: 50,
          input_tokens_details: { image_tokens: 30, text_tokens: 20 },
          output_tokens: 272,
          total_tokens: 322,
          cached_tokens_details: { cached_image_tokens: 10, cached_text_tokens: 0 },
        },
      },
    }
    lab.upstream.answer = (_seen, socket) => {
      socket.write(stream ? formatHttpEvents(spoken.events({ rest })) : formatHttpJson(spoken.whole({ rest })))
    }
    await callLab(lab, { path: spoken.path, body: { ...spoken.body, stream, tools: [{ type: 'image_generation', quality: 'low' }] } })
    expect(lab.journal.settled[0]!.lines.slice(3).map(({ kind, tokens, amount }) => [kind, tokens, amount])).toEqual([
      ['input', 20, 40_000n],
      ['imageInput', 20, 160_000n],
      ['cachedImage', 10, 20_000n],
      ['imageOutput', 272, 8_160_000n],
    ])
  })

  it('a step of an unknown model costs the highest price of its vendor, and is logged', async () => {
    await open(ALL_PRICES, { vendor: 'anthropic' })
    lab.models.set('dear', aModel('dear', [], { vendor: 'anthropic', prices: { ...PRICES, input: 10_000_000_000n, output: 50_000_000_000n } }))
    const usage = { iterations: [{ type: 'advisor_message', model: 'new', input_tokens: 10, output_tokens: 4 }] }
    lab.upstream.answer = (_seen, socket) => {
      socket.write(stream ? formatHttpEvents(DIALECT_SAMPLES.messages.events({ usage })) : formatHttpJson(DIALECT_SAMPLES.messages.whole({ usage })))
    }
    await callLab(lab, { path: '/v1/messages', body: { ...DIALECT_SAMPLES.messages.body, stream } })
    expect(lab.journal.settled[0]!.lines.slice(3).map(({ kind, unitPrice, amount }) => [kind, unitPrice, amount])).toEqual([
      ['input', 10_000_000_000n, 100_000n],
      ['output', 50_000_000_000n, 200_000n],
    ])
    expect(lab.logs.join()).toContain('a step of an unknown model')
  })
})
