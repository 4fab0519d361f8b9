import { describe, expect, it } from 'vitest'
import { PRICES } from '../testing/fake-deps.ts'
import { sumUsageLines, capUsageLines, buildUsageLines, computeMaxCost } from '../settlement/pricing.ts'
import { NO_USAGE, sumInput, sumOutput } from '../usage/usage.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import { NO_BILLABLE_OPTIONS } from './billable-options.ts'
import { parseAnthropicUsage } from './anthropic/messages.ts'
import { parseGeminiUsage } from './gemini/gemini.ts'
import { parseOpenaiUsage } from './openai/usage.ts'

const noModel = (): undefined => undefined
const amount = (usage: Usage | undefined): bigint => sumUsageLines(buildUsageLines(PRICES, usage!, noModel))
const expectUsage = (usage: Usage | undefined, part: Partial<Usage>): void => expect(usage).toEqual({ ...NO_USAGE, ...part })

describe('usage: OpenAI chat', () => {
  it('takes cached, cache writes and audio out of the input, reasoning and audio out of the output', () => {
    const usage = parseOpenaiUsage({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 10, audio_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 15, audio_tokens: 5, accepted_prediction_tokens: 3, rejected_prediction_tokens: 4 },
    })
    expectUsage(usage, { input: 40, cachedInput: 30, cacheWrite5m: 10, audioInput: 20, output: 30, reasoning: 15, audioOutput: 5 })
    expect(sumInput(usage!)).toBe(100)
    expect(sumOutput(usage!)).toBe(50)
  })
  it('never bills overlapping classes beyond the total', () => {
    const usage = parseOpenaiUsage({
      prompt_tokens: 100,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 90, audio_tokens: 90 },
    })
    expect(sumInput(usage!)).toBe(100)
  })
  it('reads embeddings, whose usage has no output', () => expectUsage(parseOpenaiUsage({ prompt_tokens: 9, total_tokens: 9 }), { input: 9 }))
  it('an explicit 0 is 0 (litellm#37992)', () => {
    expectUsage(parseOpenaiUsage({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }), {})
    expect(amount(parseOpenaiUsage({ prompt_tokens: 0, completion_tokens: 0 }))).toBe(0n)
  })
  it('cached tokens never cost the input price (litellm#11789)', () => {
    expect(amount(parseOpenaiUsage({ prompt_tokens: 1_000_000, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 1_000_000 } }))).toBe(
      PRICES.cachedInput,
    )
  })
  it('notes a total that differs', () => expect(parseOpenaiUsage({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 3 })?.mismatch).toBe(true))
})

describe('usage: OpenAI Responses', () => {
  it('reads its own names', () => {
    expectUsage(
      parseOpenaiUsage({
        input_tokens: 100,
        output_tokens: 50,
        total_tokens: 150,
        input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
        output_tokens_details: { reasoning_tokens: 20 },
      }),
      { input: 65, cachedInput: 30, cacheWrite5m: 5, output: 30, reasoning: 20 },
    )
  })
})

describe('usage: nonsense counts as missing', () => {
  const values: unknown[] = [-1, 2 ** 41, 1.5, '12', Number.NaN, {}, true]
  it.each(values)('%j', (value) => {
    expect(parseOpenaiUsage({ prompt_tokens: value, completion_tokens: 1 })).toBeUndefined()
    expect(parseOpenaiUsage({ prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: value } })).toBeUndefined()
    expect(parseAnthropicUsage({ input_tokens: 1, output_tokens: value })).toBeUndefined()
    expect(parseAnthropicUsage({ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: value })).toBeUndefined()
    expect(parseAnthropicUsage({ input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: value } })).toBeUndefined()
    expect(parseGeminiUsage({ promptTokenCount: 1, candidatesTokenCount: value })).toBeUndefined()
  })
  it('an empty object', () => {
    for (const read of [parseOpenaiUsage, parseAnthropicUsage, parseGeminiUsage]) expect(read({})).toBeUndefined()
  })
})

describe('usage: Anthropic', () => {
  it('adds cache classes to the input, by 5 minutes and 1 hour', () => {
    const usage = parseAnthropicUsage({
      input_tokens: 10,
      output_tokens: 7,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens_details: { thinking_tokens: 4 },
    })
    expectUsage(usage, { input: 10, cachedInput: 100, cacheWrite5m: 20, cacheWrite1h: 30, output: 3, reasoning: 4 })
  })
  it('cache writes without their split cost the 5-minute price, not zero (new-api#5756)', () => {
    expectUsage(parseAnthropicUsage({ input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 50 }), { cacheWrite5m: 50 })
    expectUsage(parseAnthropicUsage({ input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 50, cache_creation: null }), { cacheWrite5m: 50 })
    expectUsage(
      parseAnthropicUsage({ input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 50, cache_creation: { ephemeral_1h_input_tokens: 20 } }),
      {
        cacheWrite5m: 30,
        cacheWrite1h: 20,
      },
    )
  })
  it('prices compaction, which the totals leave out', () => {
    const raw: Raw = {
      input_tokens: 10,
      output_tokens: 5,
      iterations: [
        { type: 'compaction', input_tokens: 100, output_tokens: 20 },
        { type: 'message', input_tokens: 10, output_tokens: 5 },
      ],
    }
    expect(amount(parseAnthropicUsage(raw))).toBe(2_000n * 110n + 8_000n * 25n)
  })
  it('prices an advisor at its own model', () => {
    const usage = parseAnthropicUsage({
      input_tokens: 10,
      output_tokens: 5,
      iterations: [{ type: 'advisor_message', model: 'big', input_tokens: 100, output_tokens: 20 }],
    })!
    const big = { prices: { ...PRICES, input: 10_000_000_000n, output: 50_000_000_000n } }
    const lines = buildUsageLines(PRICES, usage, (id) => (id === 'big' ? (big as never) : undefined))
    expect(sumUsageLines(lines)).toBe(2_000n * 10n + 8_000n * 5n + 10_000n * 100n + 50_000n * 20n)
  })
  it('prices every step alone when a fallback answered', () => {
    const usage = parseAnthropicUsage({
      input_tokens: 30,
      output_tokens: 5,
      iterations: [
        { type: 'message', model: 'm', input_tokens: 10, output_tokens: 1 },
        { type: 'fallback_message', model: 'other', input_tokens: 20, output_tokens: 4 },
      ],
    })
    expect(amount(usage)).toBe(2_000n * 30n + 8_000n * 5n)
  })
})

describe('usage: Gemini', () => {
  it('adds thoughts to the output and the tool-use prompt to the input (new-api#2935)', () => {
    const usage = parseGeminiUsage({
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 30,
      toolUsePromptTokenCount: 7,
      totalTokenCount: 147,
    })
    expectUsage(usage, { input: 67, cachedInput: 40, output: 10, reasoning: 30 })
  })
  it('reads a field that proto3 leaves out as 0', () => expectUsage(parseGeminiUsage({ promptTokenCount: 5, totalTokenCount: 5 }), { input: 5 }))
  it('notes a checksum that differs', () => expect(parseGeminiUsage({ promptTokenCount: 5, totalTokenCount: 9 })?.mismatch).toBe(true))
  it('splits audio and images by modality, without what was cached', () => {
    expectUsage(
      parseGeminiUsage({
        promptTokenCount: 100,
        cachedContentTokenCount: 20,
        candidatesTokenCount: 9,
        totalTokenCount: 109,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 50 },
          { modality: 'AUDIO', tokenCount: 30 },
          { modality: 'IMAGE', tokenCount: 20 },
        ],
        cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 4 }],
      }),
      { input: 50, cachedInput: 20, audioInput: 10, imageInput: 20, output: 5, audioOutput: 4 },
    )
  })
})

describe('lines', () => {
  it('add up to the amount, and every line can be recomputed', () => {
    const lines = buildUsageLines(PRICES, { ...NO_USAGE, input: 3, cachedInput: 7, cacheWrite1h: 11, output: 13, reasoning: 17, audioOutput: 1 }, noModel)
    for (const line of lines) expect(line.amount).toBe((BigInt(line.tokens) * line.unitPrice + 999_999n) / 1_000_000n)
    expect(sumUsageLines(lines)).toBe(lines.reduce((sum, line) => sum + line.amount, 0n))
  })
  it('chooses the long-context tier by all input, cached included', () => {
    const long = { ...PRICES, longContext: { aboveInputTokens: 200, prices: { ...PRICES, input: 4_000_000_000n } } }
    expect(buildUsageLines(long, { ...NO_USAGE, input: 100, cachedInput: 100 }, noModel)[0]!.unitPrice).toBe(PRICES.input)
    expect(buildUsageLines(long, { ...NO_USAGE, input: 100, cachedInput: 101 }, noModel)[0]!.unitPrice).toBe(4_000_000_000n)
  })
  it('cuts an estimate at the hold', () => {
    const lines = buildUsageLines(PRICES, { ...NO_USAGE, input: 1_000, output: 1_000 }, noModel)
    const capped = capUsageLines(lines, 5_000_000n)
    expect(sumUsageLines(capped)).toBeLessThanOrEqual(5_000_000n)
    expect(capped.map((line) => line.tokens)).toEqual([1_000, 375])
  })
  it('holds the most expensive input class and the whole cap', () =>
    expect(computeMaxCost(PRICES, { input: 1_000, output: 100 }, NO_BILLABLE_OPTIONS)).toBe(30_000n * 1_000n + 60_000n * 100n))
})
