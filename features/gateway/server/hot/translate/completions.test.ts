import { describe, expect, it } from 'vitest'
import { readChatStream } from './chat/answer.ts'
import { readCompletionRequest, writeCompletionAnswer, writeCompletionStream } from './completions.ts'
import { gatherAnswer } from './index.ts'
import { writeMessagesRequest } from './messages/write.ts'
import type { AnswerEvent } from './form.ts'

const HEAD = { id: '1', model: 'm', created: 7 }
const ASK = { model: 'm', prompt: 'Once', max_tokens: 9, temperature: 0.5, stop: ['END'] }

describe('legacy completions, translated', () => {
  it('a prompt is what a user says', () => {
    expect(writeMessagesRequest(readCompletionRequest(ASK, false), { model: 'c', mostOutput: 100, traits: new Set() })).toMatchObject({
      model: 'c',
      max_tokens: 9,
      temperature: 0.5,
      stop_sequences: ['END'],
      messages: [{ role: 'user' }],
    })
  })

  it.each([
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: [1, 2] }, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ echo: true }, 'echo'],
    [{ suffix: 'end' }, 'suffix'],
    [{ logprobs: 0 }, 'logprobs'],
    [{ best_of: 3 }, 'best_of'],
    [{ logit_bias: { 50256: -100 } }, 'logit_bias'],
    [{ temperature: 'hot' }, 'temperature'],
  ])('%j is refused by its name', (more, field) => {
    expect(() => readCompletionRequest({ ...ASK, ...more }, false)).toThrow(`\`${field}\``)
  })

  it('settings at their defaults pass', () =>
    expect(() => readCompletionRequest({ ...ASK, prompt: ['Once'], echo: false, suffix: null, best_of: 1, logit_bias: {}, user: 'u' }, true)).not.toThrow())

  it('the answer is text without thoughts, streamed or not', () => {
    const said: AnswerEvent[] = [
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: ' upon' },
      { kind: 'text', text: ' a time' },
      { kind: 'stop', stop: 'length', sequence: undefined },
    ]
    expect(writeCompletionAnswer(gatherAnswer(said), HEAD)).toMatchObject({
      id: 'cmpl-1',
      object: 'text_completion',
      choices: [{ index: 0, text: ' upon a time', finish_reason: 'length', logprobs: null }],
    })
    const writer = writeCompletionStream(HEAD, { usage: false })
    const out = said.map((one) => writer.said(one)).join('') + writer.end()
    expect(out.endsWith('data: [DONE]\n\n')).toBe(true)
    const texts = [...out.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text)
    expect([texts.join(''), out.includes('usage')]).toEqual([' upon a time', false])
    // Its chunks have the vendor's format: a stream reader accepts them without an error.
    expect(readChatStream()(JSON.parse(out.slice(6, out.indexOf('\n'))) as never)).toEqual([])
    expect(writer.fail('x')).toContain('"error"')
  })
})
