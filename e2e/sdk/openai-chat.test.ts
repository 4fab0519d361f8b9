import OpenAI from 'openai'
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
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const client = () => new OpenAI({ baseURL: `${target.baseUrl}/v1`, apiKey: target.apiKey, maxRetries: 0 })
const chat = () => client().chat.completions
const weather: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: { name: 'get_weather', description: WEATHER_DESCRIPTION, parameters: { ...SAMPLE_WEATHER_SCHEMA } },
}
const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: 'user', content })

describe('openai chat', () => {
  test('plain: an answer, its finish reason and its usage', async () => {
    const reply = await chat().create({ model: SDK_MODELS.chat, messages: [user('What is a ledger?')] })
    expect(reply.object).toBe('chat.completion')
    expect(reply.choices[0]!.message.content).toContain('ledger')
    expect(reply.choices[0]!.finish_reason).toBe('stop')
    const usage = reply.usage!
    expect(usage.completion_tokens).toBeGreaterThan(5)
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
    expect(reply._request_id).toBeTruthy()
  })

  test('the same question gets the same answer, in the language of the question', async () => {
    const ask = () => chat().create({ model: SDK_MODELS.chat, messages: [user('什么是账本？')] })
    const [one, two] = [await ask(), await ask()]
    expect(one.choices[0]!.message.content).toContain('账本')
    expect(two.choices[0]!.message.content).toBe(one.choices[0]!.message.content)
  })

  test('stream without include_usage: no chunk without choices, no usage anywhere', async () => {
    const chunks = await collectAll(await chat().create({ model: SDK_MODELS.chat, messages: [user('Hello stream')], stream: true }))
    expect(chunks.every((chunk) => chunk.choices.length === 1)).toBe(true)
    expect(chunks.every((chunk) => chunk.usage === undefined || chunk.usage === null)).toBe(true)
    expect(chunks[0]!.choices[0]!.delta.role).toBe('assistant')
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop')
    expect(chunks.map((chunk) => chunk.choices[0]!.delta.content ?? '').join('')).toContain('Hello stream')
  })

  test('stream with include_usage: usage null on each chunk, one extra chunk at the end', async () => {
    const messages = [user('Count my tokens')]
    const chunks = await collectAll(await chat().create({ model: SDK_MODELS.chat, messages, stream: true, stream_options: { include_usage: true } }))
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
    expect(chunks.at(-1)!.choices).toEqual([])
    const plain = await chat().create({ model: SDK_MODELS.chat, messages })
    expect(chunks.at(-1)!.usage).toEqual(plain.usage)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(plain.choices[0]!.message.content)
  })

  test('tools: a call, its result, an answer that uses it', async () => {
    const messages = [user(WEATHER_QUESTION)]
    const first = await chat().create({ model: SDK_MODELS.chat, messages, tools: [weather] })
    expect(first.choices[0]!.finish_reason).toBe('tool_calls')
    const call = first.choices[0]!.message.tool_calls![0] as OpenAI.ChatCompletionMessageFunctionToolCall
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' })
    const second = await chat().create({
      model: SDK_MODELS.chat,
      tools: [weather],
      messages: [...messages, first.choices[0]!.message, { role: 'tool', tool_call_id: call.id, content: 'sunny, 21 degrees' }],
    })
    expect(second.choices[0]!.message.content).toContain('sunny, 21 degrees')
  })

  test('tools: parallel calls in a stream', async () => {
    const final = await chat()
      .stream({ model: SDK_MODELS.chat, messages: [user(TWO_CITIES)], tools: [weather] })
      .finalChatCompletion()
    const calls = final.choices[0]!.message.tool_calls as unknown as OpenAI.ChatCompletionMessageFunctionToolCall[]
    expect(calls.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([{ city: 'Paris' }, { city: 'London' }])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
  })

  test('tools: tool_choice forces one, none forbids all', async () => {
    const forced = await chat().create({
      model: SDK_MODELS.chat,
      messages: [user('Hi')],
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    })
    expect(forced.choices[0]!.message.tool_calls).toHaveLength(1)
    const none = await chat().create({ model: SDK_MODELS.chat, messages: [user(WEATHER_QUESTION)], tools: [weather], tool_choice: 'none' })
    expect(none.choices[0]!.message.tool_calls).toBeUndefined()
  })

  test('vision: images are seen and counted', async () => {
    const text = 'What is in this picture?'
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${SAMPLE_PNG}` } }
    const seen = await chat().create({ model: SDK_MODELS.chat, messages: [{ role: 'user', content: [{ type: 'text', text }, image] }] })
    const blind = await chat().create({ model: SDK_MODELS.chat, messages: [user(text)] })
    expect(seen.choices[0]!.message.content).toContain('1 image')
    expect(seen.usage!.prompt_tokens - blind.usage!.prompt_tokens).toBe(765)
  })

  test('structured output conforms to the schema; JSON mode is JSON', async () => {
    const reply = await chat().create({
      model: SDK_MODELS.chat,
      messages: [user(RECEIPT_QUESTION)],
      response_format: { type: 'json_schema', json_schema: { name: 'receipt', strict: true, schema: { ...SAMPLE_RECEIPT_SCHEMA } } },
    })
    const receipt = JSON.parse(reply.choices[0]!.message.content!) as ParsedReceipt
    expect(receipt.total).toBe(12.5)
    expect(receipt.currency).toBe('CNY')
    expect(receipt.items.every((item) => Number.isInteger(item.count))).toBe(true)
    const any = await chat().create({ model: SDK_MODELS.chat, messages: [user('Answer in JSON')], response_format: { type: 'json_object' } })
    expect(JSON.parse(any.choices[0]!.message.content!)).toBeTypeOf('object')
  })

  test('caps, stop sequences and several answers', async () => {
    const messages = [user('Tell me about holds')]
    const cut = await chat().create({ model: SDK_MODELS.chat, messages, max_completion_tokens: 7 })
    expect(cut.choices[0]!.finish_reason).toBe('length')
    expect(cut.usage!.completion_tokens).toBe(7)
    const stopped = await chat().create({ model: SDK_MODELS.chat, messages, stop: ['holds'] })
    expect(stopped.choices[0]!.message.content).not.toContain('holds')
    expect(stopped.choices[0]!.finish_reason).toBe('stop')
    const many = await chat().create({ model: SDK_MODELS.chat, messages, n: 3 })
    expect(many.choices.map((choice) => choice.index)).toEqual([0, 1, 2])
    expect(new Set(many.choices.map((choice) => choice.message.content)).size).toBe(3)
  })

  test('reasoning tokens are inside completion_tokens', async () => {
    const reply = await chat().create({ model: SDK_MODELS.reasoning, messages: [user('Think')], reasoning_effort: 'low' })
    expect(reply.usage!.completion_tokens_details!.reasoning_tokens).toBe(16)
    expect(reply.usage!.completion_tokens).toBeGreaterThan(16)
  })

  test('a repeated long prefix is read from the cache', async () => {
    const system = buildLongText(createNonce())
    const ask = (question: string) => chat().create({ model: SDK_MODELS.chat, messages: [{ role: 'system', content: system }, user(question)] })
    const first = await ask('One?')
    const second = await ask('Two?')
    expect(first.usage!.prompt_tokens_details!.cached_tokens).toBe(0)
    expect(second.usage!.prompt_tokens_details!.cached_tokens).toBeGreaterThanOrEqual(1024)
    expect(second.usage!.prompt_tokens_details!.cached_tokens! % 128).toBe(0)
  })
})

describe('openai embeddings and models', () => {
  test('embeddings: one text, several texts, dimensions', async () => {
    const one = await client().embeddings.create({ model: SDK_MODELS.embedding, input: 'ledger' })
    expect(one.data[0]!.embedding).toHaveLength(1536)
    expect(one.usage.prompt_tokens).toBeGreaterThan(0)
    const two = await client().embeddings.create({ model: SDK_MODELS.embedding, input: ['ledger', 'wallet'], dimensions: 256, encoding_format: 'float' })
    expect(two.data.map((item) => [item.index, item.embedding.length])).toEqual([
      [0, 256],
      [1, 256],
    ])
    expect(Math.hypot(...two.data[0]!.embedding)).toBeCloseTo(1, 5)
  })

  test('models: list, auto-paging, get', async () => {
    const listed = await collectAll(client().models.list())
    expect(listed.map((model) => model.id)).toContain(SDK_MODELS.chat)
    expect(listed.every((model) => model.object === 'model' && typeof model.created === 'number')).toBe(true)
    expect((await client().models.retrieve(SDK_MODELS.chat)).id).toBe(SDK_MODELS.chat)
  })
})
