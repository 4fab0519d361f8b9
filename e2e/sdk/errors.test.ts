import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { expectRejection } from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const openai = (apiKey = target.apiKey) => new OpenAI({ baseURL: `${target.baseUrl}/v1`, apiKey, maxRetries: 0 })
const anthropic = (apiKey = target.apiKey) => new Anthropic({ baseURL: target.baseUrl, apiKey, maxRetries: 0 })
const gemini = (apiKey = target.apiKey) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: target.baseUrl } })

/** One refused call through each of the four APIs, streamed or not. */
const refused = {
  chat: (content: string, { key, model = SDK_MODELS.chat, stream = false }: Asked = {}) =>
    expectRejection(openai(key).chat.completions.create({ model, stream, messages: [{ role: 'user', content }] })),
  responses: (input: string, { key, model = SDK_MODELS.chat, stream = false }: Asked = {}) =>
    expectRejection(openai(key).responses.create({ model, stream, input })),
  anthropic: (content: string, { key, model = SDK_MODELS.claude, stream = false }: Asked = {}) =>
    expectRejection(anthropic(key).messages.create({ model, stream, max_tokens: 50, messages: [{ role: 'user', content }] })),
  gemini: (contents: string, { key, model = SDK_MODELS.gemini, stream = false }: Asked = {}) =>
    expectRejection(stream ? gemini(key).models.generateContentStream({ model, contents }) : gemini(key).models.generateContent({ model, contents })),
}
interface Asked {
  readonly key?: string
  readonly model?: string
  readonly stream?: boolean
}

describe.each([false, true])('error classes of the SDKs (stream: %s)', (stream) => {
  test('401: a wrong key', async () => {
    const asked = { key: 'sk-wrong', stream }
    expect(await refused.chat('Hi', asked)).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(await refused.responses('Hi', asked)).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(await refused.anthropic('Hi', asked)).toBeInstanceOf(Anthropic.AuthenticationError)
    const error = await refused.gemini('Hi', asked)
    expect(error).toBeInstanceOf(ApiError)
    expect([400, 401, 403]).toContain((error as ApiError).status)
  })

  test('404: a model that does not exist', async () => {
    const asked = { model: 'missing-model', stream }
    expect(await refused.chat('Hi', asked)).toBeInstanceOf(OpenAI.NotFoundError)
    expect(await refused.responses('Hi', asked)).toBeInstanceOf(OpenAI.NotFoundError)
    expect(await refused.anthropic('Hi', asked)).toBeInstanceOf(Anthropic.NotFoundError)
    expect(await refused.gemini('Hi', asked)).toMatchObject({ status: 404 })
  })

  test('429: the upstream is busy', async () => {
    const busy = 'Hi [[sandbox:fault=rate-limit,retry=7]]'
    expect(await refused.chat(busy, { stream })).toBeInstanceOf(OpenAI.RateLimitError)
    expect(await refused.responses(busy, { stream })).toBeInstanceOf(OpenAI.RateLimitError)
    expect(await refused.anthropic(busy, { stream })).toBeInstanceOf(Anthropic.RateLimitError)
    expect(await refused.gemini(busy, { stream })).toMatchObject({ status: 429 })
  })

  test.each(['error', 'unavailable', 'overloaded'])('5xx: the upstream fails (%s)', async (fault) => {
    const broken = `Hi [[sandbox:fault=${fault}]]`
    expect(await refused.chat(broken, { stream })).toBeInstanceOf(OpenAI.InternalServerError)
    expect(await refused.responses(broken, { stream })).toBeInstanceOf(OpenAI.InternalServerError)
    expect(await refused.anthropic(broken, { stream })).toBeInstanceOf(Anthropic.InternalServerError)
    expect(((await refused.gemini(broken, { stream })) as ApiError).status).toBeGreaterThanOrEqual(500)
  })

  test('400: a request that the vendor refuses', async () => {
    const bad = 'Hi [[sandbox:fault=bad-request]]'
    expect(await refused.chat(bad, { stream })).toBeInstanceOf(OpenAI.BadRequestError)
    expect(await refused.anthropic(bad, { stream })).toBeInstanceOf(Anthropic.BadRequestError)
    expect(await refused.gemini(bad, { stream })).toMatchObject({ status: 400 })
  })

  test('no money: a stable code that the SDKs do not retry', async ({ skip }) => {
    const key = target.poorKey
    if (target.kind === 'gateway' && !key) return skip('the target has no key without money')
    const asked: Asked = key ? { key, stream } : { stream }
    const text = key ? 'Hi' : 'Hi [[sandbox:fault=no-credit]]'
    expect(await refused.chat(text, asked)).toMatchObject({ status: 429, type: 'insufficient_quota' })
    expect(await refused.anthropic(text, asked)).toMatchObject({ status: 402, type: 'billing_error' })
    expect(await refused.gemini(text, asked)).toMatchObject({ status: 429 })
  })
})

describe('a stream that breaks off', () => {
  test('an error event in mid-stream is thrown', async () => {
    const text = 'Hi [[sandbox:fault=mid-error,event=3]]'
    const drain = async (stream: Promise<AsyncIterable<unknown>>) => {
      for await (const _ of await stream) {
        /* until it throws */
      }
    }
    expect(
      await expectRejection(drain(openai().chat.completions.create({ model: SDK_MODELS.chat, stream: true, messages: [{ role: 'user', content: text }] }))),
    ).toBeInstanceOf(OpenAI.APIError)
    expect(
      await expectRejection(
        drain(anthropic().messages.create({ model: SDK_MODELS.claude, max_tokens: 50, stream: true, messages: [{ role: 'user', content: text }] })),
      ),
    ).toBeInstanceOf(Anthropic.APIError)
    expect(await expectRejection(drain(gemini().models.generateContentStream({ model: SDK_MODELS.gemini, contents: text })))).toBeInstanceOf(Error)
  })

  test('abort by the caller ends the stream', async () => {
    const text = 'Hi [[sandbox:chunk=50,tokens=400]]'
    const stream = await openai().chat.completions.create({ model: SDK_MODELS.chat, stream: true, messages: [{ role: 'user', content: text }] })
    let chunks = 0
    for await (const _ of stream) if (++chunks === 3) stream.controller.abort()
    expect(chunks).toBe(3)
    const message = anthropic().messages.stream({ model: SDK_MODELS.claude, max_tokens: 500, messages: [{ role: 'user', content: text }] })
    message.once('text', () => message.abort())
    expect(await expectRejection(message.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError)
  })
})
