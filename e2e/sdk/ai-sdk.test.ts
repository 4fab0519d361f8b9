import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import {
  APICallError,
  Output,
  embedMany,
  generateImage,
  generateSpeech,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
  transcribe,
  type LanguageModel,
} from 'ai'
import { describe, expect, test } from 'vitest'
import {
  RECEIPT_QUESTION,
  WEATHER_QUESTION,
  SAMPLE_RECEIPT_SCHEMA,
  expectRejection,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const openai = () => createOpenAI({ baseURL: `${target.baseUrl}/v1`, apiKey: target.apiKey })
const anthropic = (apiKey = target.apiKey) => createAnthropic({ baseURL: `${target.baseUrl}/v1`, apiKey })
const google = () => createGoogleGenerativeAI({ baseURL: `${target.baseUrl}/v1beta`, apiKey: target.apiKey })

const MODELS: Readonly<Record<string, () => LanguageModel>> = {
  'openai (responses)': () => openai()(SDK_MODELS.chat),
  'openai (responses, reasoning)': () => openai()(SDK_MODELS.reasoning),
  'openai (chat)': () => openai().chat(SDK_MODELS.chat),
  'anthropic': () => anthropic()(SDK_MODELS.claude),
  'google': () => google()(SDK_MODELS.gemini),
  'google (gemini 3)': () => google()(SDK_MODELS.gemini3),
}
const createWeatherTool = () =>
  tool({
    description: WEATHER_DESCRIPTION,
    inputSchema: jsonSchema<{ city: string }>({ ...SAMPLE_WEATHER_SCHEMA, required: ['city'] }),
    execute: async ({ city }) => `sunny in ${city}`,
  })

describe.each(Object.keys(MODELS))('%s', (name) => {
  const model = () => MODELS[name]!()

  test('generateText', async () => {
    const { text, usage, finishReason } = await generateText({ model: model(), prompt: 'What is a ledger?', maxRetries: 0 })
    expect(text).toContain('ledger')
    expect(finishReason).toBe('stop')
    expect(usage.inputTokens).toBeGreaterThan(0)
    expect(usage.outputTokens).toBeGreaterThan(0)
  })

  test('streamText', async () => {
    const stream = streamText({
      model: model(),
      prompt: 'Hello stream',
      maxRetries: 0,
      onError: ({ error }) => {
        throw error
      },
    })
    let text = ''
    for await (const piece of stream.textStream) text += piece
    expect(text).toContain('Hello stream')
    expect((await stream.usage).outputTokens).toBeGreaterThan(0)
  })

  test('tools: two steps', async () => {
    const { text, steps } = await generateText({
      model: model(),
      prompt: WEATHER_QUESTION,
      tools: { get_weather: createWeatherTool() },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    })
    expect(steps).toHaveLength(2)
    expect(steps[0]!.toolCalls[0]).toMatchObject({ toolName: 'get_weather', input: { city: 'Paris' } })
    expect(text).toContain('sunny in Paris')
  })

  test('tools: two steps in a stream', async () => {
    const stream = streamText({
      model: model(),
      prompt: WEATHER_QUESTION,
      tools: { get_weather: createWeatherTool() },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      onError: ({ error }) => {
        throw error
      },
    })
    expect(await stream.text).toContain('sunny in Paris')
  })

  test('object', async () => {
    const { output } = await generateText({
      model: model(),
      prompt: RECEIPT_QUESTION,
      maxRetries: 0,
      output: Output.object({ schema: jsonSchema<ParsedReceipt>(SAMPLE_RECEIPT_SCHEMA as never) }),
    })
    expect(output).toMatchObject({ total: 12.5, currency: 'CNY' })
  })
})

test('embeddings', async () => {
  const { embeddings } = await embedMany({ model: openai().textEmbeddingModel(SDK_MODELS.embedding), values: ['ledger', 'wallet'] })
  expect(embeddings.map((vector) => vector.length)).toEqual([1536, 1536])
})

test('errors carry status and message', async () => {
  const failing = generateText({ model: anthropic('sk-wrong')(SDK_MODELS.claude), prompt: 'Hi', maxRetries: 0 })
  const error = await expectRejection(failing)
  expect(APICallError.isInstance(error) && error.statusCode).toBe(401)
})

describe('pictures and sound', () => {
  test('an image, speech, and the speech written down again', async () => {
    const { image } = await generateImage({ model: openai().image('gpt-image-2.6-flare'), prompt: 'a ledger', size: '1024x1024', maxRetries: 0 })
    expect(image.mediaType).toBe('image/png')
    const { audio } = await generateSpeech({ model: openai().speech('tts-1'), text: '一共二十四美元。', voice: 'ash', outputFormat: 'wav', maxRetries: 0 })
    expect(audio.uint8Array.byteLength).toBeGreaterThan(10_000)
    const { text } = await transcribe({ model: openai().transcription('gpt-transcribe'), audio: audio.uint8Array, maxRetries: 0 })
    expect(text).toBe('一共二十四美元。')
  })
})
