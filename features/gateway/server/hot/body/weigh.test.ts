import { describe, expect, it } from 'vitest'
import { scanObject, skipValue } from '../json/scan.ts'
import { noteEnds, shareNotes, spliceBody } from '../json/notes.ts'
import type { JsonMember } from '../json/scan.ts'
import { isCompleteValue, createWeigher, weighSlice } from './weigh.ts'
import type { Weigher } from './weigh.ts'

const BOUNDS = { bytes: 1e9, values: 1e6, depth: 256 }

/** Walks a body that arrives in pieces of the given size. */
function weighInPieces(body: Buffer, piece = body.length): Weigher {
  const weigher = createWeigher(BOUNDS)
  for (let to = Math.min(piece, body.length); ; to = Math.min(to + piece, body.length)) {
    while (weighSlice(weigher, body, to) && weigher.problem === undefined);
    if (to === body.length) return weigher
  }
}

let seed = 7
const random = (most: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % most
}
const TEXTS = ['a', '"', '\\', '\\"', 'é', '}', '{[', '\n', 'word '.repeat(20), '\\"'.repeat(40), 'x'.repeat(5_000)]
const text = (): string => Array.from({ length: random(6) }, () => TEXTS[random(TEXTS.length)]!).join('')
function value(depth: number): unknown {
  const kind = random(depth > 5 ? 4 : 6)
  if (kind === 0) return text()
  if (kind === 1) return random(1_000)
  if (kind === 2) return null
  if (kind === 3) return text() + text()
  if (kind === 4) return Array.from({ length: random(8) }, () => value(depth + 1))
  return Object.fromEntries(Array.from({ length: random(8) }, () => [text(), value(depth + 1)]))
}

function members(body: Buffer): JsonMember[] {
  const found: JsonMember[] = []
  expect(scanObject(body, 0, body.length, undefined, found)).toBe(body.length)
  return found
}

describe('the walk over a large body', () => {
  it('notes where things end, wherever the pieces were cut', () => {
    for (let round = 0; round < 60; round++) {
      const body = Buffer.from(JSON.stringify({ a: value(0), b: value(0), model: 'm' }, undefined, round % 3))
      const whole = weighInPieces(body)
      expect(isCompleteValue(whole)).toBe(true)
      for (const piece of [1, 2, 3, 7, 64, body.length]) {
        const cut = weighInPieces(body, piece)
        expect([cut.values, cut.members]).toEqual([whole.values, whole.members])
        for (const [from, end] of cut.ends) expect(skipValue(body, from, body.length)).toBe(end)
      }
    }
  })

  it('a scan with the notes finds what one without them finds', () => {
    for (let round = 0; round < 40; round++) {
      const body = Buffer.from(JSON.stringify({ pad: 'x'.repeat(33_000), a: value(0), b: value(0), c: value(0) }))
      const plain: JsonMember[] = []
      const end = scanObject(body, 0, body.length, undefined, plain)
      noteEnds(body, weighInPieces(body, 4_096).ends)
      const noted: JsonMember[] = []
      expect(scanObject(body, 0, body.length, undefined, noted)).toBe(end)
      expect(noted).toEqual(plain)
    }
  })

  it('notes hold in a copy with edits, and in a part of one', () => {
    for (let round = 0; round < 60; round++) {
      const body = Buffer.from(JSON.stringify({ pad: 'x'.repeat(33_000), a: value(0), b: value(0), c: value(0), d: value(0) }))
      noteEnds(body, weighInPieces(body, 4_096).ends)
      const found: JsonMember[] = []
      scanObject(body, 0, body.length, ['a', 'c', 'd'], found)
      const edits = found.filter(() => random(3) > 0).map(({ start, end }) => ({ start: random(2) ? start : end, end, text: '' }))
      for (const edit of edits) edit.text = edit.start === edit.end ? ' ' : JSON.stringify(value(1))
      const made = spliceBody(spliceBody(body, edits), [{ start: 1, end: 1, text: `"first":${JSON.stringify(value(1))},` }])
      const plain = Buffer.from(made)
      expect(JSON.parse(made.toString())).toHaveProperty('first')
      expect(members(made)).toEqual(members(plain))
      const [pad] = members(made).slice(1)
      const part = made.subarray(pad!.start)
      shareNotes(made, part, pad!.start)
      expect(skipValue(part, 0, part.length)).toBe(pad!.end - pad!.start)
    }
  })

  it('a copy with edits is read by the notes: bytes inside a noted text do not matter', () => {
    const body = Buffer.from(JSON.stringify({ a: 1, pad: '\n\n'.repeat(20_000), b: 2 }))
    noteEnds(body, weighInPieces(body).ends)
    const made = spliceBody(body, [{ start: 5, end: 6, text: '"one"' }])
    const pad = members(made)[1]!
    made.fill('"', pad.start + 100, pad.end - 100)
    expect(members(made).map(({ key }) => key)).toEqual(['a', 'pad', 'b'])
  })

  it('counts members of the object itself apart from what they hold', () => {
    expect(weighInPieces(Buffer.from('{"a":[1,2,3],"b":{"c":1}}'))).toMatchObject({ members: 2, values: 6 })
    expect(weighInPieces(Buffer.from('["a\\\\",{"b":"\\\\\\""}]'))).toMatchObject({ string: -1, starts: [] })
  })

  it.each(['{"a":1]', ']', '{"a":[}'])('brackets that do not match end it: %s', (body) => {
    expect(weighInPieces(Buffer.from(body)).problem).toMatchObject({ cause: 'bad_json' })
  })

  it('a truncated body is not whole', () => {
    for (const body of ['{"a":"', '{"a":[1', '{"a":"\\']) expect(isCompleteValue(weighInPieces(Buffer.from(body)))).toBe(false)
  })

  it('stops in the middle: work of one turn is bounded', () => {
    const body = Buffer.from(`[${'1,'.repeat(300_000)}1]`)
    const weigher = createWeigher(BOUNDS)
    expect(weighSlice(weigher, body, body.length)).toBe(true)
    expect(weigher.at).toBeLessThan(200_000)
    const quotes = Buffer.from(`"${'\\"'.repeat(300_000)}"`)
    const other = createWeigher(BOUNDS)
    expect(weighSlice(other, quotes, quotes.length)).toBe(true)
    expect(other.at).toBeLessThan(400_000)
  })
})
