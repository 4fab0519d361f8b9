import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelStandIn, type RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { startReplayVendor, type ReplayVendor } from '../transcripts/replay.ts'
import { loadTranscripts, type Transcript } from '../transcripts/transcript.ts'
import { exchangeTranscript, collectCallEnds } from './exchange.ts'
import { startRelayUnderTest, type GatewayUnderTest } from './gateway.ts'
import {
  SAMPLE_PNG,
  RECEIPT_QUESTION,
  TWO_CITIES,
  WEATHER_QUESTION,
  collectAll,
  SAMPLE_RECEIPT_SCHEMA,
  expectRejection,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget, type SdkTarget } from './target.ts'

/** Each vendor's SDK with models that speak another vendor's API. */
const target = useSdkTarget()
const openai = (at: Pick<SdkTarget, 'baseUrl' | 'apiKey'> = target) => new OpenAI({ baseURL: `${at.baseUrl}/v1`, apiKey: at.apiKey, maxRetries: 0 })
const anthropic = (at: Pick<SdkTarget, 'baseUrl' | 'apiKey'> = target) => new Anthropic({ baseURL: at.baseUrl, apiKey: at.apiKey, maxRetries: 0 })
const google = (at: Pick<SdkTarget, 'baseUrl' | 'apiKey'> = target) => new GoogleGenAI({ apiKey: at.apiKey, httpOptions: { baseUrl: at.baseUrl } })
const CITIES = [{ city: 'Paris' }, { city: 'London' }]
const parseText = (text: string): unknown => JSON.parse(text)

describe.each([SDK_MODELS.claude, SDK_MODELS.gemini, SDK_MODELS.gemini3])('openai SDK, chat: %s', (model) => {
  const weather: OpenAI.ChatCompletionFunctionTool = {
    type: 'function',
    function: { name: 'get_weather', description: WEATHER_DESCRIPTION, parameters: { ...SAMPLE_WEATHER_SCHEMA } },
  }
  const chat = () => openai().chat.completions
  const user = (content: string) => ({ role: 'user' as const, content })

  test('plain and stream say the same, with usage', async () => {
    const messages = [{ role: 'system' as const, content: 'Be brief.' }, user('What is a ledger?')]
    const plain = await chat().create({ model, messages })
    expect(plain.choices[0]!.message.content).toContain('ledger')
    expect(plain.choices[0]!.finish_reason).toBe('stop')
    expect(plain.usage!.total_tokens).toBe(plain.usage!.prompt_tokens + plain.usage!.completion_tokens)
    const chunks = await collectAll(await chat().create({ model, messages, stream: true, stream_options: { include_usage: true } }))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(plain.choices[0]!.message.content)
    expect(chunks.at(-1)!.usage).toEqual(plain.usage)
    const bare = await collectAll(await chat().create({ model, messages, stream: true }))
    expect(bare.every((chunk) => chunk.choices.length === 1 && !chunk.usage)).toBe(true)
  })

  test('two calls at once in a stream, their results, the answer', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [user(TWO_CITIES)]
    const whole = await chat().create({ model, messages, tools: [weather] })
    const streamed = await chat()
      .stream({ model, messages, tools: [weather] })
      .finalChatCompletion()
    for (const reply of [whole, streamed]) {
      const calls = reply.choices[0]!.message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[]
      expect(calls.map((call) => parseText(call.function.arguments))).toEqual(CITIES)
      expect(reply.choices[0]!.finish_reason).toBe('tool_calls')
    }
    const calls = whole.choices[0]!.message.tool_calls!
    const results = calls.map((call, at) => ({ role: 'tool' as const, tool_call_id: call.id, content: `sunny, 2${at} degrees` }))
    const answer = await chat().create({ model, tools: [weather], messages: [...messages, whole.choices[0]!.message, ...results] })
    expect(answer.choices[0]!.message.content).toContain('sunny, 20 degrees')
  })

  test('forced and disabled tools, pictures, structured output, length, stop', async () => {
    const forced = await chat().create({
      model,
      messages: [user('Hi')],
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    })
    expect(forced.choices[0]!.message.tool_calls).toHaveLength(1)
    for (const stream of [false, true]) {
      const single = { model, messages: [user(TWO_CITIES)], tools: [weather], parallel_tool_calls: false }
      const one = stream ? await chat().stream(single).finalChatCompletion() : await chat().create(single)
      expect(one.choices[0]!.message.tool_calls).toHaveLength(1)
    }
    const none = await chat().create({ model, messages: [user(WEATHER_QUESTION)], tools: [weather], tool_choice: 'none' })
    expect(none.choices[0]!.message.tool_calls).toBeUndefined()
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${SAMPLE_PNG}` } }
    const seen = await chat().create({ model, messages: [{ role: 'user', content: [{ type: 'text', text: 'What is in this picture?' }, image] }] })
    expect(seen.choices[0]!.message.content).toContain('1 image')
    const format = { type: 'json_schema' as const, json_schema: { name: 'receipt', strict: true, schema: { ...SAMPLE_RECEIPT_SCHEMA } } }
    const shaped = await chat().create({ model, messages: [user(RECEIPT_QUESTION)], response_format: format })
    expect((parseText(shaped.choices[0]!.message.content!) as ParsedReceipt).total).toBe(12.5)
    const cut = await chat().create({ model, messages: [user('Tell me about holds')], max_completion_tokens: 40, stop: ['never there'] })
    expect(['length', 'stop']).toContain(cut.choices[0]!.finish_reason)
  })

  test('thinking with its proof survives a tool turn', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [user(WEATHER_QUESTION)]
    const first = await chat().create({ model, messages, tools: [weather], reasoning_effort: 'medium' })
    const message = first.choices[0]!.message
    expect(message).toHaveProperty('reasoning_content')
    const result = { role: 'tool' as const, tool_call_id: message.tool_calls![0]!.id, content: 'rain' }
    const second = await chat().create({ model, tools: [weather], reasoning_effort: 'medium', messages: [...messages, message, result] })
    expect(second.choices[0]!.message.content).toContain('rain')
  })

  test('a field that cannot be translated is refused by its name; errors come in the caller’s shape', async () => {
    expect(await expectRejection(chat().create({ model, messages: [user('Hi')], logit_bias: { 1: 5 } }))).toMatchObject({ status: 400, param: 'logit_bias' })
    const several = chat().create({ model, messages: [user('Hi')], n: 2 })
    if (model === SDK_MODELS.claude) expect(await expectRejection(several)).toMatchObject({ status: 400, param: 'n' })
    else expect((await several).choices.map((choice) => choice.message.content!.includes('answer 2'))).toEqual([false, true])
    const before = await expectRejection(chat().create({ model, messages: [user('[[sandbox:fault=bad-request]] Hi')] }))
    expect(before).toMatchObject({ status: 400, type: 'invalid_request_error' })
    const broken = chat().create({ model, messages: [user('[[sandbox:fault=mid-error,event=5,tokens=80]] Hi')], stream: true })
    expect(await expectRejection(broken.then(collectAll))).toBeInstanceOf(OpenAI.APIError)
    const garbled = chat().create({ model, messages: [user('[[sandbox:fault=bad-json,event=4,tokens=80]] Hi')], stream: true })
    expect(await expectRejection(garbled.then(collectAll))).toBeInstanceOf(OpenAI.APIError)
  })
})

describe.each([SDK_MODELS.claude, SDK_MODELS.gemini])('openai SDK, responses: %s', (model) => {
  const weather = { type: 'function' as const, name: 'get_weather', description: WEATHER_DESCRIPTION, parameters: { ...SAMPLE_WEATHER_SCHEMA }, strict: false }
  test('plain, stream, tools with reasoning carried', async () => {
    const plain = await openai().responses.create({ model, input: 'What is a ledger?', instructions: 'Be brief.' })
    expect(plain.output_text).toContain('ledger')
    const events = await collectAll(await openai().responses.create({ model, input: 'What is a ledger?', instructions: 'Be brief.', stream: true }))
    const last = events.at(-1)!
    expect(last.type).toBe('response.completed')
    expect(events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')).toBe(plain.output_text)
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at))
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: TWO_CITIES }]
    const asked = { model, tools: [weather], reasoning: { effort: 'medium' as const, summary: 'auto' as const } }
    const first = await openai().responses.create({ ...asked, input })
    const calls = first.output.filter((item) => item.type === 'function_call')
    expect(calls.map((call) => parseText(call.arguments))).toEqual(CITIES)
    const results = calls.map((call) => ({ type: 'function_call_output' as const, call_id: call.call_id, output: 'windy' }))
    const second = await openai().responses.create({ ...asked, input: [...input, ...(first.output as OpenAI.Responses.ResponseInput), ...results] })
    expect(second.output_text).toContain('windy')
  })
})

describe.each([SDK_MODELS.chat, SDK_MODELS.reasoning, SDK_MODELS.gemini, SDK_MODELS.gemini3])('anthropic SDK: %s', (model) => {
  const weather: Anthropic.Tool = {
    name: 'get_weather',
    description: WEATHER_DESCRIPTION,
    input_schema: { ...SAMPLE_WEATHER_SCHEMA, required: [...SAMPLE_WEATHER_SCHEMA.required] },
  }
  const ask = (content: string) => ({ model, max_tokens: 2_000, messages: [{ role: 'user' as const, content }] })
  test('plain, stream, two calls, their results, thinking', async () => {
    const plain = await anthropic().messages.create({ ...ask('What is a ledger?'), system: 'Be brief.' })
    const streamed = await anthropic()
      .messages.stream({ ...ask('What is a ledger?'), system: 'Be brief.' })
      .finalMessage()
    const said = plain.content.find((block) => block.type === 'text')!
    expect(said.text).toContain('ledger')
    expect(streamed.content.find((block) => block.type === 'text')).toMatchObject({ text: said.text })
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens)
    expect(plain.stop_reason).toBe('end_turn')
    for (const thinking of [undefined, { type: 'adaptive' as const }]) {
      const asked = { ...ask(TWO_CITIES), tools: [weather], ...(thinking ? { thinking } : {}) }
      const whole = await anthropic().messages.create(asked)
      const live = await anthropic().messages.stream(asked).finalMessage()
      for (const first of [whole, live]) {
        const calls = first.content.filter((block) => block.type === 'tool_use')
        expect(calls.map((call) => call.input)).toEqual(CITIES)
        expect(first.stop_reason).toBe('tool_use')
        const results = calls.map((call) => ({ type: 'tool_result' as const, tool_use_id: call.id, content: 'foggy' }))
        const history = [...asked.messages, { role: 'assistant' as const, content: first.content }, { role: 'user' as const, content: results }]
        const second = await anthropic().messages.create({ ...asked, messages: history })
        expect(second.content.find((block) => block.type === 'text')).toMatchObject({ text: expect.stringContaining('foggy') })
      }
    }
  })
  test('counting, refusals, errors', async () => {
    const { input_tokens: inputTokens } = await anthropic().messages.countTokens({ model, messages: ask('Hi there').messages })
    expect(inputTokens).toBeGreaterThan(0)
    const refused = await expectRejection(anthropic().messages.create({ ...ask('Hi'), container: 'c_1' } as Anthropic.MessageCreateParamsNonStreaming))
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('container') })
    const broken = anthropic().messages.stream(ask('[[sandbox:fault=mid-error,event=6,tokens=80]] Hi')).finalMessage()
    expect(await expectRejection(broken)).toBeInstanceOf(Anthropic.APIError)
  })
})

describe.each([SDK_MODELS.chat, SDK_MODELS.claude])('google SDK: %s', (model) => {
  const tools = [{ functionDeclarations: [{ name: 'get_weather', description: WEATHER_DESCRIPTION, parametersJsonSchema: SAMPLE_WEATHER_SCHEMA }] }]
  test('plain, stream, two calls and their results', async () => {
    const plain = await google().models.generateContent({ model, contents: 'What is a ledger?' })
    expect(plain.text).toContain('ledger')
    const chunks = await collectAll(await google().models.generateContentStream({ model, contents: 'What is a ledger?' }))
    expect(chunks.map((chunk) => chunk.text ?? '').join('')).toBe(plain.text)
    expect(chunks.at(-1)!.usageMetadata!.totalTokenCount).toBe(plain.usageMetadata!.totalTokenCount)
    const contents = [{ role: 'user', parts: [{ text: TWO_CITIES }] }]
    const first = await google().models.generateContent({
      model,
      contents,
      config: { tools, thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 }, maxOutputTokens: 4_000 },
    })
    expect(first.functionCalls!.map((call) => call.args)).toEqual(CITIES)
    const results = first.functionCalls!.map((call) => ({ functionResponse: { id: call.id!, name: call.name!, response: { output: 'snow' } } }))
    const history = [...contents, first.candidates![0]!.content!, { role: 'user', parts: results }]
    const second = await google().models.generateContent({ model, contents: history, config: { tools } })
    expect(second.text).toContain('snow')
  })
  test('refusals and counting', async () => {
    const several = google().models.generateContent({ model, contents: 'Hi', config: { candidateCount: 2 } })
    if (model === SDK_MODELS.claude) expect(await expectRejection(several)).toMatchObject({ status: 400, message: expect.stringContaining('candidateCount') })
    else expect((await several).candidates!.map((one) => one.finishReason)).toEqual(['STOP', 'STOP'])
    expect((await google().models.countTokens({ model, contents: 'Hi there' })).totalTokens).toBeGreaterThan(0)
  })
})

test('every list shows every model that can be reached', async () => {
  const ids = [await collectAll(openai().models.list()), await collectAll(anthropic().models.list())].map((found) => found.map((model) => model.id))
  for (const found of ids) expect(found).toEqual(expect.arrayContaining([SDK_MODELS.chat, SDK_MODELS.claude, SDK_MODELS.gemini]))
})

describe('a translated call costs what the upstream’s book says', () => {
  let gateway: GatewayUnderTest
  let box: RunningModelStandIn
  beforeAll(async () => {
    gateway = await startRelayUnderTest()
    box = await startModelStandIn()
    const { origin, pathname } = new URL(box.url)
    await gateway.pointAt(origin, pathname)
  })
  afterAll(async () => {
    await gateway.stop()
    await box.stop()
  })
  beforeEach(() => gateway.forget())
  const expectBooked = async (dialect: string) => {
    const [end] = await collectCallEnds(gateway)
    const entry = await box.closed(end!.callId)
    expect([end!.settled!.inputTokens, end!.settled!.outputTokens]).toEqual([entry.billed.input, entry.billed.output])
    expect(end!.settled!.provenance).toBe('upstream')
    // The row names the caller's dialect.
    expect(end!.settled!.dialect).toBe(dialect)
  }
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const chat = async (model: string, stream: boolean): Promise<unknown> =>
    stream
      ? collectAll(await openai(gateway).chat.completions.create({ model, messages, stream }))
      : openai(gateway).chat.completions.create({ model, messages })
  const message = async (model: string, stream: boolean): Promise<unknown> => {
    const asked = { model, messages, max_tokens: 500 }
    return stream ? anthropic(gateway).messages.stream(asked).finalMessage() : anthropic(gateway).messages.create(asked)
  }
  const generate = async (model: string, stream: boolean): Promise<unknown> =>
    stream
      ? collectAll(await google(gateway).models.generateContentStream({ model, contents: 'Hi' }))
      : google(gateway).models.generateContent({ model, contents: 'Hi' })
  const ways = [
    [chat, SDK_MODELS.claude, 'openai-chat'],
    [chat, SDK_MODELS.gemini, 'openai-chat'],
    [message, SDK_MODELS.chat, 'anthropic-messages'],
    [message, SDK_MODELS.gemini, 'anthropic-messages'],
    [generate, SDK_MODELS.chat, 'gemini-generate'],
    [generate, SDK_MODELS.claude, 'gemini-generate'],
  ] as const
  test.each(ways)('%o %s', async (go, model, dialect) => {
    for (const stream of [false, true]) {
      await gateway.forget()
      await go(model, stream)
      await expectBooked(dialect)
    }
  })

  test.each([
    ['/v1/chat/completions', SDK_MODELS.claude, { messages }, 'x-request-id'],
    ['/v1/responses', SDK_MODELS.gemini, { input: 'Hi' }, 'x-request-id'],
    ['/v1/messages', SDK_MODELS.chat, { messages, max_tokens: 500 }, 'request-id'],
  ] as const)('%s for %s: the ids of the caller’s own API, and no header of another', async (path, model, body, header) => {
    for (const stream of [false, true]) {
      const answer = await fetch(gateway.baseUrl + path, {
        method: 'POST',
        headers: { 'authorization': `Bearer ${gateway.apiKey}`, 'content-type': 'application/json', 'anthropic-beta': 'x', 'openai-beta': 'y' },
        body: JSON.stringify({ model, stream, ...body }),
      })
      await answer.text()
      expect(answer.headers.get(header)).toBe(answer.headers.get('x-mingxi-request-id'))
      expect(answer.headers.get('x-upstream-request-id')).toBeTruthy()
      expect([...answer.headers.keys()].filter((name) => /^(?:anthropic|openai|x-goog|x-gemini)-/.test(name))).toEqual([])
    }
  })

  test('a client that leaves in mid-stream pays what it got, never more than was held', async () => {
    const body = { model: SDK_MODELS.claude, stream: true, messages: [{ role: 'user', content: '[[sandbox:tokens=400,chunk=5]] Hi' }] }
    const gone = new AbortController()
    const answer = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone.signal,
    })
    await answer.body!.getReader().read()
    gone.abort()
    const [end] = await collectCallEnds(gateway)
    expect(end).toMatchObject({ how: 'settled', outcome: 'client_gone' })
    expect(end!.settled!.outputTokens).toBeLessThan(400)
    expect(end!.settled!.amount <= end!.settled!.held).toBe(true)
  })
})

/** The upstream's recorded stream, and a request for it in another dialect. */
describe('the upstream breaks off in mid-stream: resolved once, the caller sees its own error', () => {
  let gateway: GatewayUnderTest
  let replay: ReplayVendor
  beforeAll(async () => {
    gateway = await startRelayUnderTest()
    replay = await startReplayVendor()
  })
  afterAll(async () => {
    await gateway.stop()
    await replay.stop()
  })
  const messages = [{ role: 'user', content: 'Hi' }]
  const asks = [
    { path: '/v1/chat/completions', models: [SDK_MODELS.claude, SDK_MODELS.gemini], body: (model: string) => ({ model, stream: true, messages }) },
    { path: '/v1/messages', models: [SDK_MODELS.chat, SDK_MODELS.gemini], body: (model: string) => ({ model, stream: true, max_tokens: 100, messages }) },
    { path: '/v1/responses', models: [SDK_MODELS.claude, SDK_MODELS.gemini], body: (model: string) => ({ model, stream: true, input: 'Hi' }) },
  ]
  const recorded = (model: string): Transcript =>
    loadTranscripts().find(
      (one) =>
        one.name === (model === SDK_MODELS.claude ? 'messages-stream-tiny' : model === SDK_MODELS.gemini ? 'gemini-stream-tiny' : 'responses-stream-tiny'),
    )!
  test.each(asks.flatMap((ask) => ask.models.map((model) => [ask.path, model, ask.body(model)] as const)))('%s to %s', async (path, model, body) => {
    const transcript = recorded(model)
    const length = Buffer.byteLength(transcript.response.body)
    for (let cutAt = 0; cutAt <= length; cutAt += 7) {
      await gateway.pointAt(replay.origin)
      await gateway.forget()
      replay.play({ transcript, cutAt })
      const asked = { ...transcript, request: { path, headers: {}, body } }
      const got = await exchangeTranscript(gateway, asked)
      const [end, ...more] = await collectCallEnds(gateway)
      expect(more, `cut at byte ${cutAt}`).toEqual([])
      const isWhole = /\[DONE\]|"message_stop"|response\.completed/.test(got.body)
      expect(isWhole || got.body.includes('"error"'), `cut at byte ${cutAt}: ${got.body.slice(-200)}`).toBe(true)
      expect(isWhole && got.body.includes('"error":{'), `cut at byte ${cutAt}`).toBe(false)
      if (got.status !== 200) expect(end).toMatchObject({ how: 'released' })
      if (end!.settled) expect(end!.settled.amount <= end!.settled.held).toBe(true)
    }
  })
})
