import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MALFORMED, TRUNCATED, findMember, parseRange, scanObject } from './scan.ts'
import type { JsonMember } from './scan.ts'

function read(text: string, keys: readonly string[]): Record<string, unknown> | number {
  const buf = Buffer.from(text)
  const found: JsonMember[] = []
  const end = scanObject(buf, 0, buf.length, keys, found)
  if (end < 0) return end
  return Object.fromEntries(found.map((member) => [member.key, parseRange(buf, member)]))
}

const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n  ')

describe('shallow scanner', () => {
  it('agrees with JSON.parse on any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ stringUnit: 'grapheme' })), fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0)
        const keys = Object.keys(value)
        expect(read(text, keys)).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('refuses every truncation of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const text = JSON.stringify(value)
        const cut = Buffer.from(text).subarray(0, at % Buffer.byteLength(text))
        expect(scanObject(cut, 0, cut.length, [], [])).toBeLessThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('takes the last of duplicate keys, escaped or not', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('model', 'mod\\u0065l', 'x', 'stream'), fc.jsonValue(), space), { minLength: 1 }), (pairs) => {
        const text = `{${pairs.map(([key, value, gap]) => `${gap}"${key}"${gap}:${gap}${JSON.stringify(value)}${gap}`).join(',')}}`
        expect(read(text, ['model', 'x', 'stream'])).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['', TRUNCATED],
    ['{', TRUNCATED],
    ['{"a"', TRUNCATED],
    ['{"a":', TRUNCATED],
    ['{"a":1', TRUNCATED],
    ['{"a":"x', TRUNCATED],
    ['{"a":[1', TRUNCATED],
    ['[]', MALFORMED],
    ['{"a":[}', MALFORMED],
    ['{"a":1,}', MALFORMED],
    ['{a:1}', MALFORMED],
    ['{"a":tru}', MALFORMED],
    ['{"a":01}', MALFORMED],
    ['{"a" 1}', MALFORMED],
    ['{"\\q":1}', MALFORMED],
  ])('refuses %j', (text, reason) => expect(read(text, ['a'])).toBe(reason))

  it('is not hurt by deep nesting', () => {
    const deep = `{"a":${'['.repeat(90_000)}${']'.repeat(90_000)},"model":"m"}`
    expect(read(deep, ['model'])).toEqual({ model: 'm' })
    expect(read(`{"a":${'['.repeat(5_000_000)}`, ['a'])).toBe(MALFORMED)
  })

  it('reads long strings with escapes at every distance', () => {
    for (let n = 0; n < 130; n++) {
      const text = JSON.stringify({ a: `${'x'.repeat(n)}"\\${'\\'.repeat(n % 5)}`, b: n })
      expect(read(text, ['a', 'b'])).toEqual(JSON.parse(text))
    }
  })

  it('finds a member of a member by range', () => {
    const buf = Buffer.from('xx{"a":{"usage":{"n":1}},"usage":2}')
    const outer = findMember(buf, 2, buf.length, 'a')!
    expect(parseRange(buf, findMember(buf, outer.start, outer.end, 'usage')!)).toEqual({ n: 1 })
  })
})
