import { afterEach, describe, expect, it } from 'vitest'
import { openaiChatDialect } from '../dialects/openai/chat.ts'
import { parseOpenaiUsage } from '../dialects/openai/usage.ts'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, CHAT_STREAM_USAGE_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { LabRequest, Lab } from '../testing/lab.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_PLAIN, GEMINI_TRANSCRIPT, RESPONSES_TRANSCRIPT } from '../testing/transcripts.ts'

let lab: Lab
afterEach(() => lab.close())

const GEMINI_STREAM: LabRequest = { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: { contents: [] } }
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
    ['chat', { body: CHAT_STREAM_USAGE_REQUEST }, CHAT_PLAIN],
    ['chat, usage asked for by us', { body: CHAT_STREAM_REQUEST }, CHAT_PLAIN],
    ['responses', { path: '/v1/responses', body: { model: 'm', stream: true } }, withoutUsage(RESPONSES_TRANSCRIPT)],
    ['anthropic', { path: '/v1/messages', body: CHAT_STREAM_REQUEST }, withoutUsage(ANTHROPIC_TRANSCRIPT)],
    ['gemini', GEMINI_STREAM, withoutUsage(GEMINI_TRANSCRIPT)],
  ] as [string, LabRequest, string][])('%s, streamed', async (_name, ask, sent) => {
    expect(sent).not.toMatch(/promptTokenCount|input_tokens/)
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(sent))
    }
    expect((await callLab(lab, ask)).body).toBe(sent)
    expectHeld()
  })

  it.each([
    ['chat', { body: CHAT_REQUEST }],
    ['responses', { path: '/v1/responses', body: { model: 'm', input: 'x' } }],
    ['anthropic', { path: '/v1/messages', body: CHAT_REQUEST }],
    ['gemini', { path: '/v1beta/models/m:generateContent', body: { contents: [] } }],
    ['embeddings', { path: '/v1/embeddings', body: { model: 'm', input: 'x'.repeat(90) } }],
  ] as [string, LabRequest][])('%s, whole', async (_name, ask) => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ answer: 'word '.repeat(20) }))
    }
    expect((await callLab(lab, ask)).status).toBe(200)
    expectHeld()
  })

  it.each([{ prompt_tokens: -5, completion_tokens: 6 }, { prompt_tokens: 1e15, completion_tokens: 6 }, { prompt_tokens: '7' }, {}, null, 'none'])(
    'an answer whose usage makes no sense costs what was held: %o',
    async (usage) => {
      lab = await openLab()
      lab.upstream.answer = (_seen, socket) => {
        socket.write(formatHttpJson({ usage }))
      }
      await callLab(lab, { body: CHAT_REQUEST })
      expectHeld()
    },
  )

  it('an explicit usage of 0 is 0', async () => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ usage: { prompt_tokens: 0, completion_tokens: 0 } }))
    }
    await callLab(lab, { body: CHAT_REQUEST })
    expect(lab.journal.settled[0]).toMatchObject({ amount: 0n, provenance: 'upstream', lines: [] })
    expect(lab.alarms).toEqual([])
  })

  it('Google’s older embeddings report no usage: their text is counted', async () => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ embedding: { values: [1] } }))
    }
    await callLab(lab, { path: '/v1beta/models/m:embedContent', body: { content: { parts: [{ text: 'A text of a few words to be embedded. '.repeat(20) }] } } })
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ provenance: 'estimated', outputTokens: 0 })
    expect(settled.inputTokens).toBeGreaterThan(180)
    expect(settled.amount).toBeLessThanOrEqual(settled.held)
    expect(lab.alarms).toEqual([])
  })
})

describe('an unknown usage field', () => {
  const usageOf = openaiChatDialect.usageOf
  afterEach(() => void Object.assign(openaiChatDialect, { usageOf }))

  it('costs what was held: known usage on its lines, the rest on one more', async () => {
    Object.assign(openaiChatDialect, { usageOf: (raw: Parameters<typeof usageOf>[0]) => ({ ...parseOpenaiUsage(raw)!, unknown: 'usage.dream_tokens' }) })
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ usage: { prompt_tokens: 10, completion_tokens: 20, dream_tokens: 900 } }))
    }
    await callLab(lab, { body: CHAT_REQUEST })
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ provenance: 'held', amount: settled.held, inputTokens: 10, outputTokens: 20 })
    expect(settled.lines.map((line) => line.kind)).toEqual(['input', 'output', 'call'])
    expect(lab.alarms).toEqual(['gateway.usage_unknown'])
  })
})
