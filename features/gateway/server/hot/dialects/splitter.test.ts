import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findElementEnd, createElementSplitter, createEventSplitter } from './splitter.ts'
import type { Splitter } from './splitter.ts'
import { findEventEnd } from './sse.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_USAGE, GEMINI_TRANSCRIPT, GEMINI_ARRAY_TRANSCRIPT, RESPONSES_TRANSCRIPT } from '../testing/transcripts.ts'

function through(splitter: Splitter, data: Buffer, cuts: readonly number[]): string[] {
  const events: string[] = []
  const at = [...new Set(cuts.map((cut) => cut % data.length))].toSorted((a, b) => a - b)
  const ends = [...at, data.length]
  let from = 0
  for (const end of ends) {
    const out = splitter.feed(data.subarray(from, end))
    from = end
    if (out === undefined) continue
    for (let i = 0; i < out.length;) {
      const next = findEventEnd(out, i)
      events.push(out.subarray(i, next).toString())
      i = next
    }
  }
  return events
}

describe('event splitter', () => {
  it.each(Object.entries({ CHAT_USAGE, RESPONSES: RESPONSES_TRANSCRIPT, ANTHROPIC: ANTHROPIC_TRANSCRIPT, GEMINI: GEMINI_TRANSCRIPT }))(
    '%s: same events at every split position',
    (_name, text) => {
      const data = Buffer.from(text)
      const whole = through(createEventSplitter(), data, [])
      expect(whole.join('')).toBe(text)
      for (let at = 1; at < data.length; at++) expect(through(createEventSplitter(), data, [at])).toEqual(whole)
    },
  )
  it('same events whatever the chunks', () => {
    const data = Buffer.from(GEMINI_TRANSCRIPT + CHAT_USAGE)
    const whole = through(createEventSplitter(), data, [])
    fc.assert(
      fc.property(fc.array(fc.nat({ max: data.length - 1 }), { maxLength: 60 }), (cuts) => {
        expect(through(createEventSplitter(), data, cuts)).toEqual(whole)
      }),
    )
    expect(
      through(
        createEventSplitter(),
        data,
        Array.from({ length: data.length }, (_, i) => i),
      ),
    ).toEqual(whole)
  })
})

describe('element splitter', () => {
  it('gives whole elements and sees the end, at every split position', () => {
    const data = Buffer.from(GEMINI_ARRAY_TRANSCRIPT)
    for (let at = 1; at < data.length; at++) {
      let closed = false
      const splitter = createElementSplitter(() => {
        closed = true
      })
      const out =
        [splitter.feed(data.subarray(0, at)), splitter.feed(data.subarray(at))].map((part) => part?.toString() ?? '').join('') +
        (splitter.rest()?.toString() ?? '')
      expect(out).toBe(GEMINI_ARRAY_TRANSCRIPT)
      expect(closed).toBe(true)
    }
  })
  it('finds the end of an element', () => {
    const data = Buffer.from('[{"a":"}\\"{"},{"b":1}]')
    expect(data.subarray(0, findElementEnd(data, 0)).toString()).toBe('[{"a":"}\\"{"}')
  })
})
