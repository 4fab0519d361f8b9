import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ModelPrices } from '../deps.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { BillableOptions } from '../dialects/billable-options.ts'
import { computeMaxCost } from './pricing.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { PRICES } from '../testing/fake-deps.ts'
import { ALL_PRICES, PROMPT_PRICES, DIALECT_SAMPLES } from '../testing/priced.ts'
import { isProblem } from '../problem.ts'

let lab: Lab
const open = async (prices: ModelPrices = PRICES): Promise<Lab> => {
  lab = await openLab({ model: { prices } })
  return lab
}
afterEach(() => lab.close())

type Name = keyof typeof DIALECT_SAMPLES
const REFUSED: readonly (readonly [Name, object, string])[] = [
  ['chat', { web_search_options: {} }, 'web_search_options'],
  ['chat', { service_tier: 'priority' }, 'service_tier: priority'],
  ['chat', { service_tier: 'flex' }, 'service_tier: flex'],
  ['chat', { service_tier: 'ultrafast' }, 'service_tier: ultrafast'],
  ['chat', { service_tier: 'tomorrow' }, 'service_tier'],
  ['chat', { service_tier: ['priority'] }, 'service_tier'],
  ['chat', { prompt_cache_options: { ttl: '12h' } }, 'prompt_cache_options.ttl: 12h'],
  ['chat', { tools: [{ type: 'web_search' }] }, 'web_search'],
  ['responses', { service_tier: 'scale' }, 'service_tier: scale'],
  ['responses', { prompt: { id: 'p' } }, 'prompt'],
  ['responses', { tools: [{ type: 'web_search' }] }, 'Web search'],
  ['responses', { tools: [{ type: 'web_search_preview' }] }, 'web_search_preview'],
  ['responses', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'file_search'],
  ['responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'code interpreter'],
  ['responses', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, 'code_interpreter'],
  ['responses', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }, 'shell'],
  ['responses', { tools: [{ type: 'shell' }] }, 'shell'],
  ['responses', { tools: [{ type: 'image_generation', model: 'other' }] }, 'other'],
  ['responses', { tools: [{ type: 'image_generation', output_format: 'svg' }] }, 'svg'],
  ['responses', { tools: [{ type: 'image_generation' }, { type: 'image_generation' }] }, 'image_generation'],
  ['responses', { tools: [{ type: 'of_tomorrow' }] }, 'of_tomorrow'],
  ['responses', { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'file_search' }] }] }, 'file_search'],
  ['messages', { speed: 'fast' }, 'speed: fast'],
  ['messages', { speed: 'ludicrous' }, 'speed'],
  ['messages', { inference_geo: 'us' }, 'inference_geo: us'],
  ['messages', { inference_geo: 'mars' }, 'inference_geo'],
  ['messages', { thread: { type: 'create' } }, 'thread'],
  ['messages', { billing_policy: { type: 'billing_policy' } }, 'billing_policy'],
  ['messages', { tools: [{ type: 'web_search_20260318', name: 'w' }] }, 'Web search'],
  ['messages', { tools: [{ type: 'code_execution_20260521', name: 'c' }] }, 'Code execution'],
  ['messages', { tools: [{ type: 'of_tomorrow_20270101', name: 't' }] }, 'of_tomorrow'],
  ['messages', { fallbacks: [{ model: 'nobody' }] }, 'nobody'],
  ['messages', { messages: [{ role: 'user', content: [{ type: 'tool_addition', tool: {} }] }] }, 'tool_addition'],
  ['gemini', { serviceTier: 'flex' }, 'service_tier: flex'],
  ['gemini', { service_tier: 'tomorrow' }, 'serviceTier'],
  ['gemini', { tools: [{ google_search: {} }] }, 'Web search'],
  ['gemini', { tools: [{ googleMaps: {} }] }, 'Google Maps'],
  ['gemini', { tools: [{ file_search: {} }] }, 'file_search'],
  ['gemini', { tools: [{ exaAiSearch: {} }] }, 'exaAiSearch'],
  ['gemini', { tools: [{ ofTomorrow: {} }] }, 'ofTomorrow'],
  ['gemini', { generation_config: { routing_config: {} } }, 'routing_config'],
]

describe('a request without a known price', () => {
  it.each(REFUSED)('%s %j is refused by its name, in the vendor’s shape, and reaches no vendor', async (dialect, asked, name) => {
    await open()
    const spoken = DIALECT_SAMPLES[dialect]
    const answer = await callLab(lab, { path: spoken.path, body: { ...spoken.body, ...asked } })
    expect(answer.status).toBe(400)
    const error = (JSON.parse(answer.body) as { error: { message: string } }).error
    expect(error.message).toContain(name)
    expect(lab.upstream.seen).toEqual([])
    expect(lab.journal.reserved).toEqual([])
  })

  it.each([
    ['chat', { service_tier: null, web_search_options: null, tools: [{ type: 'function', function: {} }, { type: 'custom' }], of_tomorrow: { a: 1 } }],
    [
      'responses',
      {
        service_tier: 'default',
        background: false,
        prompt: null,
        tools: [{ type: 'mcp' }, { type: 'shell', environment: { type: 'local' } }, { type: 'namespace' }],
        max_tool_calls: 4,
      },
    ],
    ['responses', { input: 'Explain "additional_tools": \u0061dditional_tools' }],
    [
      'messages',
      {
        speed: 'standard',
        inference_geo: 'global',
        service_tier: 'auto',
        tools: [
          { name: 'g', input_schema: {} },
          { type: 'bash_20270101', name: 'bash' },
          { type: 'web_fetch_20260318', name: 'f' },
        ],
      },
    ],
    ['messages', { messages: [{ role: 'user', content: 'What is a tool_addition?' }] }],
    [
      'gemini',
      { serviceTier: 'standard', tools: [{ functionDeclarations: [] }, { urlContext: {} }, { code_execution: {} }, { googleSearch: null }], ofTomorrow: 1 },
    ],
  ] as const)('%s: free and unknown fields pass unchanged', async (dialect, asked) => {
    await open()
    const spoken = DIALECT_SAMPLES[dialect]
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(spoken.whole({})))
    }
    const body = JSON.stringify({ ...spoken.body, ...asked })
    const answer = await callLab(lab, { path: spoken.path, body })
    expect(answer.status, answer.body).toBe(200)
    expect(lab.upstream.seen[0]!.body).toBe(body)
  })

  it('escaped names are recognized, and so is the first of a repeated member', async () => {
    await open()
    for (const body of [
      '{"model":"m","input":[{"type":"\\u0061dditional_tools","\\u0074ools":[{"type":"file_\\u0073earch"}]}]}',
      '{"model":"m","input":"x","tools":[{"type":"file_search"}],"tools":[]}',
      '{"model":"m","input":"x","service_tier":"priority","service_tier":"default"}',
      '{"model":"m","input":"x","tools":[{"type":"file_search","type":"function"}]}',
    ]) {
      expect((await callLab(lab, { path: '/v1/responses', body })).status, body).toBe(400)
    }
    const added = '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool\\u005faddition"}]}]}'
    expect((await callLab(lab, { path: '/v1/messages', body: added })).status).toBe(400)
  })
})

const STRANGE: readonly (readonly [Name, object, object, string])[] = [
  ['chat', { surprise_tokens: 5 }, {}, 'surprise_tokens'],
  ['chat', { prompt_tokens_details: { hologram_tokens: 5 } }, {}, 'prompt_tokens_details.hologram_tokens'],
  ['chat', {}, { service_tier: 'scale' }, 'service_tier=scale'],
  ['chat', {}, { service_tier: 'priority' }, 'priority'],
  ['responses', {}, { tool_usage: { time_travel: { num_requests: 1 } } }, 'tool_usage.time_travel.num_requests'],
  ['responses', {}, { output: [{ type: 'teleport_call' }] }, 'output.teleport_call'],
  ['responses', {}, { output: [{ type: 'file_search_call' }] }, 'output.file_search_call'],
  ['responses', {}, { output: [{ type: 'image_generation_call' }] }, 'output.image_generation_call'],
  ['responses', {}, { tool_usage: { web_search: { num_requests: 2 } } }, 'webSearches'],
  ['messages', { speed: 'fast' }, {}, 'fast'],
  ['messages', { speed: 'slow' }, {}, 'speed=slow'],
  ['messages', { inference_geo: 'eu' }, {}, 'inference_geo=eu'],
  ['messages', { server_tool_use: { dream_requests: 1 } }, {}, 'server_tool_use.dream_requests'],
  ['messages', { iterations: [{ type: 'dream', input_tokens: 1, output_tokens: 1 }] }, {}, 'iterations[].type=dream'],
  ['gemini', { dreamTokenCount: 3 }, {}, 'dreamTokenCount'],
  ['gemini', { promptTokensDetails: [{ modality: 'SMELL', tokenCount: 3 }] }, {}, 'promptTokensDetails[].modality=SMELL'],
  ['gemini', { serviceTier: 'priority' }, {}, 'priority'],
  ['gemini', {}, { groundingMetadata: { webSearchQueries: ['a'] } }, 'webSearches'],
  ['gemini', { candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 20 }] }, {}, 'imageOutput'],
]

describe.each([
  ['whole', false],
  ['streamed', true],
] as const)('an unknown usage figure costs the hold and raises an alarm, %s', (_way, stream) => {
  it.each(STRANGE)('%s %j %j: %s', async (dialect, usage, rest, field) => {
    await open()
    const told = vi.spyOn(lab.deps.log, 'error')
    const spoken = DIALECT_SAMPLES[dialect]
    lab.upstream.answer = (_seen, socket) => {
      socket.write(stream ? formatHttpEvents(spoken.events({ usage, rest })) : formatHttpJson(spoken.whole({ usage, rest })))
    }
    const path = stream && 'streamPath' in spoken ? spoken.streamPath : spoken.path
    await callLab(lab, { path, body: { ...spoken.body, ...(dialect === 'gemini' ? {} : { stream }) } })
    const settled = lab.journal.settled[0]!
    expect([settled.provenance, settled.amount]).toEqual(['held', settled.held])
    expect(told.mock.calls.map(([data]) => data)).toContainEqual(expect.objectContaining({ event: 'gateway.usage_unknown', field }))
  })
})

describe('the most that a request can cost', () => {
  const most = { input: 1_000, output: 100 }
  const asksOf = (dialect: keyof typeof DIALECTS, body: object): BillableOptions => {
    const facts = DIALECTS[dialect].readFacts(Buffer.from(JSON.stringify(body)), 'm', 'generateContent')
    if (isProblem(facts)) throw new Error(facts.message)
    return facts.asks
  }
  const cost = (dialect: keyof typeof DIALECTS, body: object, prices = ALL_PRICES): bigint => computeMaxCost(prices, most, asksOf(dialect, body))
  const input = { model: 'm', input: 'x' }
  // 1,000 tokens at the highest class price (audio), plus 100 of audio output.
  const plain = 30_000_000n + 6_000_000n

  it('counts the most expensive class, and each requested factor that raises the price', () => {
    expect(cost('openai-responses', input)).toBe(plain)
    expect(cost('openai-responses', { ...input, service_tier: 'priority' })).toBe(plain * 2n)
    expect(cost('openai-responses', { ...input, service_tier: 'flex' })).toBe(plain)
    expect(cost('anthropic-messages', { model: 'm', messages: [], speed: 'fast', inference_geo: 'us' })).toBe((plain * 22n) / 10n)
  })
  it('counts every use of a tool that is permitted', () => {
    expect(cost('openai-responses', { ...input, tools: [{ type: 'web_search' }] })).toBe(plain + 100_000_000n)
    expect(cost('openai-responses', { ...input, tools: [{ type: 'web_search' }], max_tool_calls: 3 })).toBe(plain + 30_000_000n)
    expect(cost('openai-responses', { ...input, tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }] })).toBe(
      plain + 360_000_000n,
    )
    expect(cost('anthropic-messages', { model: 'm', messages: [], tools: [{ type: 'web_search_20260318', max_uses: 2 }] })).toBe(plain + 20_000_000n)
    expect(cost('gemini-generate', { tools: [{ googleSearch: {} }] }, PROMPT_PRICES)).toBe(plain + 35_000_000n)
  })
  it('counts steps on other models, pictures and predictions', () => {
    const expensive: ModelPrices = { ...PRICES, input: 60_000_000_000n, output: 600_000_000_000n }
    const asks = asksOf('anthropic-messages', { model: 'm', messages: [], fallbacks: [{ model: 'dear' }, { model: 'm', max_tokens: 1_000 }] })
    const step = 60_000_000n + 60_000_000n
    expect(computeMaxCost(ALL_PRICES, most, asks, (id) => (id === 'dear' ? expensive : ALL_PRICES))).toBe(plain + step + 30_000_000n + 60_000_000n)
    expect(
      asksOf('openai-responses', { ...input, tools: [{ type: 'image_generation', model: 'gpt-image-2', quality: 'low', size: '1024x1024' }] }).steps,
    ).toEqual([{ model: 'gpt-image-2', times: 10, output: undefined, imageTokens: 408 + 4_000 }])
    expect(asksOf('openai-chat', { model: 'm', messages: [], prediction: { type: 'content', content: 'abc' } }).predicted).toBeGreaterThanOrEqual(3)
  })
})
