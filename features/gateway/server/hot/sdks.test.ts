import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { TEST_KEY } from './testing/fake-deps.ts'
import { SSE_HEAD, formatHttpChunk, formatHttpEvents } from './testing/fake-upstream.ts'
import { openLab } from './testing/lab.ts'
import type { Lab } from './testing/lab.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_USAGE, GEMINI_TRANSCRIPT, RESPONSES_TRANSCRIPT } from './testing/transcripts.ts'

let lab: Lab
afterEach(() => lab.close())
const serveEvents = (text: string): void => {
  lab.upstream.answer = (_seen, socket) => {
    socket.write(formatHttpEvents(text, 5))
  }
}
const cutAnswer = (text: string): void => {
  lab.upstream.answer = (_seen, socket) => {
    socket.end(`${SSE_HEAD}\r\n${formatHttpChunk(text.slice(0, text.length / 2))}`)
  }
}

describe("the vendors' own SDKs", () => {
  it('openai: chat and responses, whole, cut, and without money', async () => {
    lab = await openLab()
    const client = new OpenAI({ apiKey: TEST_KEY, baseURL: `http://127.0.0.1:${lab.port}/v1`, maxRetries: 2 })
    const chat = async (): Promise<string> => {
      let text = ''
      for await (const part of await client.chat.completions.create({ model: 'm', messages: [], stream: true })) text += part.choices[0]!.delta.content ?? ''
      return text
    }
    serveEvents(CHAT_USAGE)
    expect(await chat()).toBe('Hello, "usage": 你好 world')
    cutAnswer(CHAT_USAGE)
    await expect(chat()).rejects.toThrow('ended this answer')
    serveEvents(RESPONSES_TRANSCRIPT)
    const types: string[] = []
    for await (const event of await client.responses.create({ model: 'm', input: 'x', stream: true })) types.push(event.type)
    expect(types.at(-1)).toBe('response.completed')
    cutAnswer(RESPONSES_TRANSCRIPT)
    await expect(
      (async () => {
        for await (const _ of await client.responses.create({ model: 'm', input: 'x', stream: true })) void _
      })(),
    ).rejects.toThrow()
    let asked = 0
    Object.defineProperty(lab.journal, 'admitAs', { get: () => (asked++, 'insufficient_balance') })
    await expect(chat()).rejects.toMatchObject({ status: 429, code: 'credit_balance_exhausted' })
    expect(asked, 'no retry').toBe(1)
    expect((await client.models.list()).data.map((model) => model.id)).toEqual(['m'])
  })

  it('anthropic: stream, cut, count, models', async () => {
    lab = await openLab()
    const client = new Anthropic({ apiKey: TEST_KEY, baseURL: `http://127.0.0.1:${lab.port}`, maxRetries: 2 })
    const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'x' }] }
    serveEvents(ANTHROPIC_TRANSCRIPT)
    const message = await client.messages.stream(ask).finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello max_tokens' }])
    cutAnswer(ANTHROPIC_TRANSCRIPT)
    await expect(client.messages.stream(ask).finalMessage()).rejects.toThrow('ended this answer')
    lab.journal.admitAs = 'insufficient_balance'
    await expect(client.messages.create(ask)).rejects.toMatchObject({ status: 402, requestID: expect.stringMatching(/^req_/) })
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 1 })) ids.push(model.id)
    expect(ids).toEqual(['m'])
  })

  it('google: stream, cut, models', async () => {
    lab = await openLab()
    const client = new GoogleGenAI({ apiKey: TEST_KEY, httpOptions: { baseUrl: `http://127.0.0.1:${lab.port}` } })
    const ask = async (): Promise<string> => {
      let text = ''
      for await (const part of await client.models.generateContentStream({ model: 'm', contents: 'x' })) text += part.text ?? ''
      return text
    }
    serveEvents(GEMINI_TRANSCRIPT)
    expect(await ask()).toBe('Hello!')
    cutAnswer(GEMINI_TRANSCRIPT)
    await expect(ask()).rejects.toThrow()
    lab.journal.admitAs = 'insufficient_balance'
    await expect(ask()).rejects.toMatchObject({ status: 429 })
  })
})
