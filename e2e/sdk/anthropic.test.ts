import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import {
  SAMPLE_PNG,
  RECEIPT_QUESTION,
  TWO_CITIES,
  WEATHER_QUESTION,
  collectAll,
  buildLongText,
  createNonce,
  SAMPLE_RECEIPT_SCHEMA,
  expectRejection,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const client = () => new Anthropic({ baseURL: target.baseUrl, apiKey: target.apiKey, maxRetries: 0 })
const messages = () => client().messages
const weather: Anthropic.Tool = { name: 'get_weather', description: WEATHER_DESCRIPTION, input_schema: { ...SAMPLE_WEATHER_SCHEMA, required: ['city'] } }
const createMessage = (content: Anthropic.MessageParam['content'], more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) =>
  ({ model: SDK_MODELS.claude, max_tokens: 2000, messages: [{ role: 'user', content }], ...more }) as Anthropic.MessageCreateParamsNonStreaming
const textOf = (message: Anthropic.Message) => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')

describe('anthropic messages', () => {
  test('plain', async () => {
    const reply = await messages().create(createMessage('What is a ledger?'))
    expect(textOf(reply)).toContain('ledger')
    expect(reply.stop_reason).toBe('end_turn')
    expect(reply.usage.input_tokens).toBeGreaterThan(0)
    expect(reply._request_id).toBeTruthy()
  })

  test('stream: events in their order, cumulative usage, and the same message as without', async () => {
    const events = await collectAll(await messages().create({ ...createMessage('Hello events'), stream: true }))
    const kinds = events.map((event) => event.type).filter((type, at, types) => type !== types[at - 1])
    expect(kinds).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop'])
    const streamed = await messages().stream(createMessage('Hello events')).finalMessage()
    const plain = await messages().create(createMessage('Hello events'))
    expect(streamed.content).toEqual(plain.content)
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens)
    expect(streamed.usage.input_tokens).toBe(plain.usage.input_tokens)
  })

  test('count_tokens agrees with the call, in both namespaces', async () => {
    const params = { model: SDK_MODELS.claude, system: 'Be brief.', tools: [weather], messages: [{ role: 'user' as const, content: 'Count me' }] }
    const { input_tokens: inputTokens } = await messages().countTokens(params)
    expect(inputTokens).toBeGreaterThan(10)
    expect((await messages().create({ ...params, max_tokens: 50 })).usage.input_tokens).toBe(inputTokens)
    expect((await client().beta.messages.countTokens(params)).input_tokens).toBe(inputTokens)
  })

  test('tools: round trip', async () => {
    const first = await messages().create(createMessage(WEATHER_QUESTION, { tools: [weather] }))
    expect(first.stop_reason).toBe('tool_use')
    const call = first.content.find((block) => block.type === 'tool_use')!
    expect(call.input).toEqual({ city: 'Paris' })
    const second = await messages().create(
      createMessage('', {
        tools: [weather],
        messages: [
          { role: 'user', content: WEATHER_QUESTION },
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny, 21 degrees' }] },
        ],
      }),
    )
    expect(textOf(second)).toContain('sunny, 21 degrees')
  })

  test('tools: parallel calls in a stream', async () => {
    const final = await messages()
      .stream(createMessage(TWO_CITIES, { tools: [weather] }))
      .finalMessage()
    expect(final.content.filter((block) => block.type === 'tool_use').map((block) => block.input)).toEqual([{ city: 'Paris' }, { city: 'London' }])
    const one = await messages().create(createMessage(TWO_CITIES, { tools: [weather], tool_choice: { type: 'any', disable_parallel_tool_use: true } }))
    expect(one.content.filter((block) => block.type === 'tool_use')).toHaveLength(1)
  })

  test('thinking: blocks with a signature; sent back unchanged they pass, changed they do not', async () => {
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
    const first = await messages()
      .stream(createMessage(`${WEATHER_QUESTION} [[sandbox:redacted=1]]`, { thinking, tools: [weather] }))
      .finalMessage()
    expect(first.content.map((block) => block.type)).toEqual(['thinking', 'redacted_thinking', 'text', 'tool_use'])
    expect(first.usage.output_tokens_details!.thinking_tokens).toBe(24)
    const call = first.content.find((block) => block.type === 'tool_use')!
    const next = (content: Anthropic.ContentBlock[]) =>
      messages().create(
        createMessage('', {
          thinking,
          tools: [weather],
          messages: [
            { role: 'user', content: WEATHER_QUESTION },
            { role: 'assistant', content },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'rain' }] },
          ],
        }),
      )
    expect(textOf(await next(first.content))).toContain('rain')
    const forged = first.content.map((block) => (block.type === 'thinking' ? { ...block, thinking: `${block.thinking}!` } : block))
    expect(await expectRejection(next(forged))).toBeInstanceOf(Anthropic.BadRequestError)
    expect(await expectRejection(next(first.content.slice(2)))).toBeInstanceOf(Anthropic.BadRequestError)
  })

  test('vision and structured output', async () => {
    const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: SAMPLE_PNG } }
    const text = { type: 'text' as const, text: 'What is this?' }
    const seen = await messages().create(createMessage([image, text]))
    const blind = await messages().create(createMessage([text]))
    expect(textOf(seen)).toContain('1 image')
    expect(seen.usage.input_tokens - blind.usage.input_tokens).toBe(1568)
    const reply = await messages().create(
      createMessage(RECEIPT_QUESTION, { output_config: { format: { type: 'json_schema', schema: { ...SAMPLE_RECEIPT_SCHEMA } } } }),
    )
    expect((JSON.parse(textOf(reply)) as ParsedReceipt).currency).toBe('CNY')
  })

  test('prompt caching: written once with the 5m/1h split, then read; totals agree', async () => {
    const hour = buildLongText(createNonce())
    const five = buildLongText(createNonce())
    const call = (question: string) =>
      messages().create(
        createMessage(question, {
          system: [
            { type: 'text', text: hour, cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'text', text: five, cache_control: { type: 'ephemeral' } },
          ],
        }),
      )
    const { usage: first } = await call('One?')
    const { usage: second } = await call('Two?')
    expect(first.cache_creation!.ephemeral_1h_input_tokens).toBeGreaterThan(1024)
    expect(first.cache_creation!.ephemeral_5m_input_tokens).toBeGreaterThan(1024)
    expect(first.cache_creation_input_tokens).toBe(first.cache_creation!.ephemeral_1h_input_tokens + first.cache_creation!.ephemeral_5m_input_tokens)
    expect(first.cache_read_input_tokens).toBe(0)
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(second.cache_creation_input_tokens).toBe(0)
    expect(second.input_tokens).toBe(first.input_tokens)
  })

  test('caps and stop sequences', async () => {
    const cut = await messages().create(createMessage('Tell me about holds', { max_tokens: 6 }))
    expect([cut.stop_reason, cut.usage.output_tokens]).toEqual(['max_tokens', 6])
    const stopped = await messages().create(createMessage('Tell me about holds', { stop_sequences: ['holds'] }))
    expect([stopped.stop_reason, stopped.stop_sequence]).toEqual(['stop_sequence', 'holds'])
    expect(textOf(stopped)).not.toContain('holds')
  })

  test('version 2026-10-21 refuses temperature, 2023-06-01 takes it', async () => {
    const hot = { ...createMessage('Hi'), temperature: 1 } as Anthropic.MessageCreateParamsNonStreaming
    expect(await expectRejection(messages().create(hot))).toMatchObject({ status: 400, message: expect.stringContaining('temperature') })
    const old = await messages().create(hot, { headers: { 'anthropic-version': '2023-06-01' } })
    expect(old.stop_reason).toBe('end_turn')
  })
})

describe('anthropic models', () => {
  test('list with auto-paging, get', async () => {
    const listed = await collectAll(client().models.list({ limit: 1 }))
    expect(listed.map((model) => model.id)).toContain(SDK_MODELS.claude)
    expect(new Set(listed.map((model) => model.id)).size).toBe(listed.length)
    expect((await client().models.retrieve(SDK_MODELS.claude)).type).toBe('model')
  })
})
