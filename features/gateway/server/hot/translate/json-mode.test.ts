import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from './form.ts'
import { createJsonFilter } from './json-mode.ts'
import { splitSignedId, signCallId } from './signed-id.ts'

const END: AnswerEvent = { kind: 'stop', stop: 'end', sequence: undefined }
/** All ways to split a text in two must give the same result. */
function filterAllCuts(text: string, stop: AnswerEvent = END): readonly AnswerEvent[] {
  const cuts = Array.from({ length: text.length + 1 }, (_, at) => {
    const shape = createJsonFilter()
    const said = [text.slice(0, at), text.slice(at)].flatMap((piece) => shape({ kind: 'text', text: piece }))
    return JSON.stringify([said.map((one) => (one.kind === 'text' ? one.text : '')).join(''), ...shape(stop)])
  })
  expect(new Set(cuts).size).toBe(1)
  return JSON.parse(cuts[0]!) as readonly AnswerEvent[]
}

describe('JSON and nothing around it', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['Here you are:\n```json\n{"a":{"b":[1,"}"]}}\n```\nAnything else?', '{"a":{"b":[1,"}"]}}'],
    ['{"a":"\\"}{"}', '{"a":"\\"}{"}'],
    ['{"a":1}{"b":2}', '{"a":1}'],
    ['  [1,2]\n', '[1,2]'],
  ])('%s', (text, json) => expect(filterAllCuts(text)).toEqual([json, END]))
  it('words alone are a refusal', () => expect(filterAllCuts('I cannot do that.')).toEqual(['', { kind: 'refusal', text: 'I cannot do that.' }, END]))
  it('a value that does not end counts as cut', () => {
    expect(filterAllCuts('{"a":')).toEqual(['{"a":', { ...END, stop: 'length' }])
    expect(filterAllCuts('{"a":', { ...END, stop: 'refusal' })).toEqual(['{"a":', { ...END, stop: 'refusal' }])
  })
  it('text before a call stays text', () => {
    const shape = createJsonFilter()
    const call: AnswerEvent = { kind: 'call', id: 'c', name: 'f', seal: undefined }
    expect([{ kind: 'text', text: 'Let me look.' } as const, call, END].flatMap(shape)).toEqual([{ kind: 'text', text: 'Let me look.' }, call, END])
  })
})

describe('ids that carry a proof', () => {
  const seal = { from: 'gemini-generate', kind: 'signature', value: 'CoAB+/=='.repeat(40) } as const
  it('give it back to its owner, in letters that every vendor takes', () => {
    const id = signCallId('call_1', seal)
    expect(id).toMatch(/^call_1__mx1_[A-Za-z0-9_-]+$/)
    expect(splitSignedId(id, 'anthropic-messages')).toEqual({ id: 'call_1', seal })
  })
  it('other ids stay as they are', () => {
    for (const id of ['toolu_01A', 'call__mx1_', 'call__mx1_Zm9v']) expect(splitSignedId(id, 'anthropic-messages')).toEqual({ id, seal: undefined })
  })
})
