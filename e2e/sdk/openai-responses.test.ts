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
  expectRejection,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const responses = () => new OpenAI({ baseURL: `${target.baseUrl}/v1`, apiKey: target.apiKey, maxRetries: 0 }).responses
const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: WEATHER_DESCRIPTION,
  parameters: { ...SAMPLE_WEATHER_SCHEMA },
  strict: true,
}

describe('openai responses', () => {
  test('plain', async () => {
    const reply = await responses().create({ model: SDK_MODELS.chat, input: 'What is a ledger?' })
    expect(reply.status).toBe('completed')
    expect(reply.output_text).toContain('ledger')
    expect(reply.usage!.total_tokens).toBe(reply.usage!.input_tokens + reply.usage!.output_tokens)
  })

  test('stream: sequence numbers without a gap, and the events in their order', async () => {
    const events = await collectAll(await responses().create({ model: SDK_MODELS.chat, input: 'Hello events', stream: true }))
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at))
    const kinds = events.map((event) => event.type).filter((type, at, types) => type !== types[at - 1])
    expect(kinds).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('')
    const last = events.at(-1)!
    const [message] = last.type === 'response.completed' ? last.response.output : []
    expect(message?.type === 'message' && message.content[0]).toMatchObject({ text: deltas })
    expect(last.type === 'response.completed' && last.response.usage!.output_tokens).toBeGreaterThan(0)
  })

  test('reasoning: summary events, and encrypted thoughts that come back verified', async () => {
    const stream = await collectAll(
      await responses().create({ model: SDK_MODELS.reasoning, input: 'Think first', reasoning: { effort: 'low', summary: 'auto' }, stream: true }),
    )
    const kinds = new Set(stream.map((event) => event.type))
    for (const type of ['part.added', 'text.delta', 'text.done', 'part.done']) expect(kinds).toContain(`response.reasoning_summary_${type}`)

    const first = await responses().create({ model: SDK_MODELS.reasoning, input: 'Think first', include: ['reasoning.encrypted_content'], store: false })
    expect(first.usage!.output_tokens_details.reasoning_tokens).toBe(32)
    const input = [...first.output, { role: 'user', content: 'Go on' }] as OpenAI.Responses.ResponseInput
    expect((await responses().create({ model: SDK_MODELS.reasoning, input, store: false })).status).toBe('completed')
    const forged = input.map((item) => ('encrypted_content' in item ? { ...item, encrypted_content: 'Zm9yZ2Vk' } : item))
    expect(await expectRejection(responses().create({ model: SDK_MODELS.reasoning, input: forged, store: false }))).toBeInstanceOf(OpenAI.BadRequestError)
  })

  test('tools: round trip by items', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: WEATHER_QUESTION }]
    const first = await responses().create({ model: SDK_MODELS.chat, input, tools: [weather] })
    const call = first.output.find((item) => item.type === 'function_call')!
    expect(JSON.parse(call.arguments)).toEqual({ city: 'Paris' })
    const second = await responses().create({
      model: SDK_MODELS.chat,
      tools: [weather],
      input: [...input, call, { type: 'function_call_output', call_id: call.call_id, output: 'sunny, 21 degrees' }],
    })
    expect(second.output_text).toContain('sunny, 21 degrees')
  })

  test('tools: parallel calls in a stream', async () => {
    const final = await responses()
      .stream({ model: SDK_MODELS.chat, input: TWO_CITIES, tools: [weather] })
      .finalResponse()
    const calls = final.output.filter((item) => item.type === 'function_call')
    expect(calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual([{ city: 'Paris' }, { city: 'London' }])
  })

  test('vision and structured output', async () => {
    const seen = await responses().create({
      model: SDK_MODELS.chat,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', detail: 'low', image_url: `data:image/png;base64,${SAMPLE_PNG}` },
          ],
        },
      ],
    })
    expect(seen.output_text).toContain('1 image')
    const reply = await responses().create({
      model: SDK_MODELS.chat,
      input: RECEIPT_QUESTION,
      text: { format: { type: 'json_schema', name: 'receipt', strict: true, schema: { ...SAMPLE_RECEIPT_SCHEMA } } },
    })
    expect((JSON.parse(reply.output_text) as ParsedReceipt).total).toBe(12.5)
  })

  test('a cut answer is incomplete and still reports its usage', async () => {
    const whole = await responses().create({ model: SDK_MODELS.chat, input: 'Tell me more', max_output_tokens: 16 })
    expect(whole.status).toBe('incomplete')
    expect(whole.incomplete_details).toEqual({ reason: 'max_output_tokens' })
    const events = await collectAll(await responses().create({ model: SDK_MODELS.chat, input: 'Tell me more', max_output_tokens: 16, stream: true }))
    const last = events.at(-1)!
    expect(last.type === 'response.incomplete' && last.response.usage!.output_tokens).toBe(16)
  })

  test('a repeated long prefix is read from the cache', async () => {
    const instructions = buildLongText(createNonce())
    await responses().create({ model: SDK_MODELS.chat, instructions, input: 'One?' })
    const second = await responses().create({ model: SDK_MODELS.chat, instructions, input: 'Two?' })
    expect(second.usage!.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(1024)
  })
})
