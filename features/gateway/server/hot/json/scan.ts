import { MALFORMED, decodeJsonString, matchWantedKey } from './keys.ts'
import { findNotedEnd } from './notes.ts'

export { MALFORMED }

/**
 * A shallow JSON scanner: byte ranges of wanted members of one object, without building objects (wire.md 0.5). It
 * agrees with JSON.parse on every valid text (last duplicate wins, escaped keys are decoded) and refuses
 * truncated and unbalanced ones. Wanted keys are ASCII. Inside values it checks strings and brackets only; the vendor checks the rest.
 */
export interface JsonMember {
  readonly key: string
  readonly start: number
  readonly end: number
}

export const TRUNCATED = -1
/** Deeper than any vendor accepts; keeps the bracket stack small. */
const MAX_DEPTH = 100_000

const QUOTE = 34,
  BACKSLASH = 92,
  OPEN_OBJECT = 123,
  CLOSE_OBJECT = 125,
  OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  COMMA = 44,
  COLON = 58,
  ZERO = 48,
  ONE = 49,
  NINE = 57

let brackets = new Uint8Array(256)

/** Smaller values are not looked up: walking them is cheaper. */
const NOTED_BYTES = 32_768

export function skipSpace(buf: Buffer, from: number, end: number): number {
  let i = from
  while (i < end) {
    const c = buf[i]!
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) break
    i++
  }
  return i
}

/** `from` is at the opening quote; returns the index after the closing one, or TRUNCATED. */
export function skipString(buf: Buffer, from: number, end: number): number {
  let i = from + 1
  let near = Math.min(end, i + 48)
  for (;;) {
    for (; i < near; i++) {
      const c = buf[i]!
      // Most text is lower-case letters.
      if (c > BACKSLASH) continue
      if (c === QUOTE) return i + 1
      if (c === BACKSLASH) i++
    }
    if (i >= end) return TRUNCATED
    if (i < from + 64 && buf.length > NOTED_BYTES) {
      const known = findNotedEnd(buf, from, end)
      if (known !== undefined) return known
    }
    const quote = buf.indexOf(QUOTE, i)
    if (quote < 0 || quote >= end) return TRUNCATED
    let k = quote - 1
    while (k >= i && buf[k] === BACKSLASH) k--
    if (((quote - 1 - k) & 1) === 0) return quote + 1
    i = quote + 1
    // Escaped quotes come in clusters: a search for each would cost more than checking their bytes.
    near = Math.min(end, i + 16)
  }
}

function skipContainer(buf: Buffer, from: number, end: number): number {
  const known = buf.length > NOTED_BYTES ? findNotedEnd(buf, from, end) : undefined
  if (known !== undefined) return known
  let depth = 0
  let i = from
  while (i < end) {
    const c = buf[i]!
    if (c < OPEN_ARRAY && c !== QUOTE) {
      i++
      continue
    }
    if (c === QUOTE) {
      i = skipString(buf, i, end)
      if (i < 0) return i
      continue
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (depth === MAX_DEPTH) return MALFORMED
      if (depth === brackets.length) {
        const wider = new Uint8Array(depth * 4)
        wider.set(brackets)
        brackets = wider
      }
      brackets[depth++] = c
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (brackets[depth - 1] !== c - 2) return MALFORMED
      if (--depth === 0) return i + 1
    }
    i++
  }
  return TRUNCATED
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Index after the value that begins at `from`, or a negative reason. */
export function skipValue(buf: Buffer, from: number, end: number): number {
  if (from >= end) return TRUNCATED
  const c = buf[from]!
  if (c === QUOTE) return skipString(buf, from, end)
  if (c === OPEN_OBJECT || c === OPEN_ARRAY) return skipContainer(buf, from, end)
  let i = from
  let isCount = c >= ONE && c <= NINE
  while (i < end) {
    const d = buf[i]!
    if (d === COMMA || d === CLOSE_OBJECT || d === CLOSE_ARRAY || d === 32 || d === 10 || d === 13 || d === 9) break
    if (d < ZERO || d > NINE) isCount = false
    i++
  }
  if (isCount) return i
  const text = buf.toString('latin1', from, i)
  if (text === 'true' || text === 'false' || text === 'null' || NUMBER.test(text)) return i
  return i === end ? TRUNCATED : MALFORMED
}

/**
 * Reads the object that begins at `from` and appends its wanted members (all if `wanted` is undefined), in order, to `found`. Returns the
 * index after the closing brace, or a negative reason.
 */
export function scanObject(buf: Buffer, from: number, end: number, wanted: readonly string[] | undefined, found: JsonMember[]): number {
  let i = skipSpace(buf, from, end)
  if (i >= end) return TRUNCATED
  if (buf[i] !== OPEN_OBJECT) return MALFORMED
  i = skipSpace(buf, i + 1, end)
  if (buf[i] === CLOSE_OBJECT && i < end) return i + 1
  for (;;) {
    if (i >= end) return TRUNCATED
    if (buf[i] !== QUOTE) return MALFORMED
    const keyEnd = skipString(buf, i, end)
    if (keyEnd < 0) return keyEnd
    const key = wanted === undefined ? decodeJsonString(buf, i, keyEnd) : matchWantedKey(buf, i, keyEnd, wanted)
    if (key === MALFORMED) return MALFORMED
    i = skipSpace(buf, keyEnd, end)
    if (i >= end) return TRUNCATED
    if (buf[i] !== COLON) return MALFORMED
    const start = skipSpace(buf, i + 1, end)
    const valueEnd = skipValue(buf, start, end)
    if (valueEnd < 0) return valueEnd
    if (key !== undefined) found.push({ key, start, end: valueEnd })
    i = skipSpace(buf, valueEnd, end)
    if (i >= end) return TRUNCATED
    const c = buf[i]!
    if (c === CLOSE_OBJECT) return i + 1
    if (c !== COMMA) return MALFORMED
    i = skipSpace(buf, i + 1, end)
  }
}

/** The last member of that name in the object at `from`; undefined if absent or the text is malformed. */
export function findMember(buf: Buffer, from: number, end: number, key: string): JsonMember | undefined {
  const found: JsonMember[] = []
  return scanObject(buf, from, end, [key], found) < 0 ? undefined : found.at(-1)
}

/** The parsed value of a range, or undefined when it is not JSON. */
export function parseRange(buf: Buffer, range: { readonly start: number; readonly end: number }): unknown {
  if (isName(buf, range.start, range.end)) return buf.toString('latin1', range.start + 1, range.end - 1)
  try {
    return JSON.parse(buf.toString('utf8', range.start, range.end))
  } catch {
    return undefined
  }
}

const LONGEST_NAME = 64

/** True for a short text of printable ASCII without escapes, which can be used unparsed. */
function isName(buf: Buffer, start: number, end: number): boolean {
  if (end - start < 2 || end - start > LONGEST_NAME || buf[start] !== QUOTE || buf[end - 1] !== QUOTE) return false
  for (let i = start + 1; i < end - 1; i++) {
    const c = buf[i]!
    if (c < 32 || c > 126 || c === BACKSLASH || c === QUOTE) return false
  }
  return true
}
