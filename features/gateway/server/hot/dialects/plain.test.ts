import { describe, expect, it } from 'vitest'
import { createTextBounds } from '../bounds/bounds.ts'
import { computeChatBounds } from './openai/bounds.ts'
import { findReferences } from '../kept/references.ts'
import { openaiChatDialect } from './openai/chat.ts'
import { isProblem } from '../problem.ts'

const model = { id: 'gpt-4o-mini', contextTokens: 128_000 } as Parameters<typeof computeChatBounds>[1]
const isPlain = (text: string): boolean | undefined => {
  const facts = openaiChatDialect.readFacts(Buffer.from(text), '', '')
  return isProblem(facts) ? undefined : facts.isPlain
}
const body = (more: object): string => JSON.stringify({ model: 'm', ...more })
const aMessageBody = (content: unknown): string => body({ messages: [{ role: 'user', content }] })

describe('recognition of plain chat bodies', () => {
  it.each([
    ['words', aMessageBody('Tell me a "type" of audio, as {"file_id": 1}')],
    ['Chinese, escaped', '{"model":"m","messages":[{"role":"user","content":"\\u4f60\\u597d"}]}'],
    ['settings', body({ messages: [{ role: 'system', content: 'x' }], temperature: 1, stream: true, max_tokens: 5, stop: ['a'] })],
  ])('plain: %s', (_, text) => {
    expect(isPlain(text)).toBe(true)
  })

  it.each([
    ['a picture', aMessageBody([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])],
    ['a part without a type', aMessageBody([{ text: 'x' }])],
    ['a part in the place of the list', aMessageBody({ text: 'x' })],
    ['space before the list', '{"model":"m","messages":[{"role":"user","content" :\n [{"text":"x"}]}]}'],
    ['an escaped name', '{"model":"m","messages":[{"role":"user","c\\u006fntent":[{"text":"x"}]}]}'],
    ['an earlier answer in sound', body({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] })],
    ['tools', body({ messages: [], tools: [{ type: 'function', function: { name: 'f' } }] })],
    ['more than is looked at', aMessageBody('x'.repeat(20_000))],
  ])('not plain: %s', (_, text) => {
    expect(isPlain(text)).toBe(false)
  })

  it('a plain body is held as the text of all its bytes and names no kept object, whatever it is made of', () => {
    let seed = 7
    const draw = <T>(from: readonly T[]): T => from[(seed = (Math.imul(seed, 48_271) >>> 0) % 2_147_483_647) % from.length]!
    const WORDS = ['hi', '"type"', '\\u0066', 'audio', '{"file_id":"f"}', '[{', '你好', 'content', '"tools":', null, 7]
    const PARTS = [
      { type: 'text', text: 'x' },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'input_audio', input_audio: { data: 'x' } },
      { text: 'x' },
      { image_url: 'x' },
    ]
    const message = (): object => ({
      role: draw(['user', 'assistant', 'tool']),
      content: draw<unknown>([draw(WORDS), draw(WORDS), draw(WORDS), [draw(PARTS)], draw(PARTS), []]),
      ...(draw([0, 0, 0, 1]) && { audio: draw<unknown>([null, { id: 'audio_1' }]) }),
    })
    let plain = 0
    for (let i = 0; i < 2_000; i++) {
      const messages = Array.from({ length: draw([0, 1, 2, 3]) }, message)
      const raw = Buffer.from(body({ messages, ...(draw([0, 0, 0, 0, 1]) && { [draw(['tools', 'user'])]: [] }) }))
      if (isPlain(raw.toString()) !== true) continue
      plain++
      expect({ ...computeChatBounds(raw, model), picture: 0, looks: 0 }, raw.toString()).toEqual({ ...createTextBounds(raw), picture: 0, looks: 0 })
      expect(findReferences(raw, 'openai-chat')).toEqual({ previous: [], items: [] })
    }
    expect(plain).toBeGreaterThan(300)
  })
})
