import { afterEach, describe, expect, it } from 'vitest'
import { openaiChat } from '../dialects/openai/chat.ts'
import { openaiUsage } from '../dialects/openai/usage.ts'
import { CHAT, CHAT_STREAM, CHAT_STREAM_USAGE, call, openLab } from '../testing/lab.ts'
import type { Ask, Lab } from '../testing/lab.ts'
import { httpEvents, httpJson } from '../testing/fake-upstream.ts'
import { ANTHROPIC, CHAT_PLAIN, GEMINI, RESPONSES } from '../testing/transcripts.ts'

let lab: Lab
afterEach(() => lab.close())

const GEMINI_STREAM: Ask = { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: { contents: [] } }
const withoutUsage = (text: string): string => text.replaceAll(/,"usageMetadata": \{[^}]*\}/g, '').replaceAll(/,"usage":\{[^}]*(?:\{[^}]*\}[^}]*)*\}/g, '')

/** A complete answer costs the held amount, on one line, and raises an alarm. */
function expectHeld(): void {
  const settled = lab.journal.settled[0]!
  expect(settled).toMatchObject({ outcome: 'completed', provenance: 'held', amount: settled.held })
  expect(settled.lines).toEqual([{ kind: 'call', tokens: 1, unitPrice: settled.held * 1_000_000n, amount: settled.held }])
  expect(lab.alarms).toEqual(['gateway.usage_missing'])
}

describe('a complete answer without usage costs what was held, and raises an alarm', () => {
  it.each([
    ['chat', { body: CHAT_STREAM_USAGE }, CHAT_PLAIN],
    ['chat, usage asked for by us', { body: CHAT_STREAM }, CHAT_PLAIN],
    ['responses', { path: '/v1/responses', body: { model: 'm', stream: true } }, withoutUsage(RESPONSES)],
    ['anthropic', { path: '/v1/messages', body: CHAT_STREAM }, withoutUsage(ANTHROPIC)],
    ['gemini', GEMINI_STREAM, withoutUsage(GEMINI)],
  ] as [string, Ask, string][])('%s, streamed', async (_name, ask, sent) => {
    expect(sent).not.toMatch(/promptTokenCount|input_tokens/)
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(httpEvents(sent))
    }
    expect((await call(lab, ask)).body).toBe(sent)
    expectHeld()
  })

  it.each([
    ['chat', { body: CHAT }],
    ['responses', { path: '/v1/responses', body: { model: 'm', input: 'x' } }],
    ['anthropic', { path: '/v1/messages', body: CHAT }],
    ['gemini', { path: '/v1beta/models/m:generateContent', body: { contents: [] } }],
    ['embeddings', { path: '/v1/embeddings', body: { model: 'm', input: 'x'.repeat(90) } }],
  ] as [string, Ask][])('%s, whole', async (_name, ask) => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(httpJson({ answer: 'word '.repeat(20) }))
    }
    expect((await call(lab, ask)).status).toBe(200)
    expectHeld()
  })

  it.each([{ prompt_tokens: -5, completion_tokens: 6 }, { prompt_tokens: 1e15, completion_tokens: 6 }, { prompt_tokens: '7' }, {}, null, 'none'])(
    'an answer whose usage makes no sense costs what was held: %o',
    async (usage) => {
      lab = await openLab()
      lab.upstream.answer = (_seen, socket) => {
        socket.write(httpJson({ usage }))
      }
      await call(lab, { body: CHAT })
      expectHeld()
    },
  )

  it('an explicit usage of 0 is 0', async () => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(httpJson({ usage: { prompt_tokens: 0, completion_tokens: 0 } }))
    }
    await call(lab, { body: CHAT })
    expect(lab.journal.settled[0]).toMatchObject({ amount: 0n, provenance: 'upstream', lines: [] })
    expect(lab.alarms).toEqual([])
  })

  it('Google’s older embeddings report no usage: their text is counted', async () => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(httpJson({ embedding: { values: [1] } }))
    }
    await call(lab, { path: '/v1beta/models/m:embedContent', body: { content: { parts: [{ text: 'A text of a few words to be embedded. '.repeat(20) }] } } })
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ provenance: 'estimated', outputTokens: 0 })
    expect(settled.inputTokens).toBeGreaterThan(180)
    expect(settled.amount).toBeLessThanOrEqual(settled.held)
    expect(lab.alarms).toEqual([])
  })
})

describe('an unknown usage field', () => {
  const usageOf = openaiChat.usageOf
  afterEach(() => void Object.assign(openaiChat, { usageOf }))

  it('costs what was held: known usage on its lines, the rest on one more', async () => {
    Object.assign(openaiChat, { usageOf: (raw: Parameters<typeof usageOf>[0]) => ({ ...openaiUsage(raw)!, unknown: 'usage.dream_tokens' }) })
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(httpJson({ usage: { prompt_tokens: 10, completion_tokens: 20, dream_tokens: 900 } }))
    }
    await call(lab, { body: CHAT })
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ provenance: 'held', amount: settled.held, inputTokens: 10, outputTokens: 20 })
    expect(settled.lines.map((line) => line.kind)).toEqual(['input', 'output', 'call'])
    expect(lab.alarms).toEqual(['gateway.usage_unknown'])
  })
})
