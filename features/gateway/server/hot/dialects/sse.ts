import { findMember, parseRange, skipSpace } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'

/**
 * Events of a byte stream. A blank line ends an event (`
 * ` or `\r
 * \r
 * `); JSON contains no raw newlines, so searching for them is exact.
 */
const LF = 10,
  CR = 13,
  OPEN_OBJECT = 123,
  NULL = 110
const LF_LF = Buffer.from('\n\n')
const LF_CR_LF = Buffer.from('\n\r\n')

/** True if the bytes end with a complete event. */
export function endsWithEvent(data: Buffer): boolean {
  const n = data.length
  if (n < 2 || data[n - 1] !== LF) return false
  return data[n - 2] === LF || (n > 2 && data[n - 2] === CR && data[n - 3] === LF)
}

/** Index after the last complete event; 0 if there is none. */
export function findLastBoundary(data: Buffer): number {
  if (endsWithEvent(data)) return data.length
  const plain = data.lastIndexOf(LF_LF)
  const wide = data.lastIndexOf(LF_CR_LF)
  return Math.max(plain < 0 ? 0 : plain + 2, wide < 0 ? 0 : wide + 3)
}

/** Index after the event that begins at `from`; the data holds complete events only. */
export function findEventEnd(data: Buffer, from: number): number {
  for (let lf = data.indexOf(LF, from); lf >= 0; lf = data.indexOf(LF, lf + 1)) {
    if (data[lf + 1] === LF) return lf + 2
    if (data[lf + 1] === CR && data[lf + 2] === LF) return lf + 3
  }
  return data.length
}

/** Start of the last of these complete events. */
export function findLastEventStart(events: Buffer): number {
  const n = events.length
  const wide = events[n - 2] === CR
  const before = n < 4 ? -1 : wide ? events.lastIndexOf(LF_CR_LF, n - 4) : events.lastIndexOf(LF_LF, n - 3)
  return before < 0 ? 0 : before + (wide ? 3 : 2)
}

/** Start of an event's JSON, -1 without any. Event names contain no brace. */
export function findJsonStart(event: Buffer): number {
  return event.indexOf(OPEN_OBJECT)
}

export function findEventMember(event: Buffer, key: string): JsonMember | undefined {
  const start = findJsonStart(event)
  return start < 0 ? undefined : findMember(event, start, event.length, key)
}

/** An object member of an object member: `response.usage`. */
export function parseEventObject(event: Buffer, ...keys: readonly string[]): Raw | undefined {
  let from = findJsonStart(event)
  let range: JsonMember | undefined
  for (const key of keys) {
    if (from < 0) return undefined
    range = findMember(event, from, range?.end ?? event.length, key)
    if (range === undefined || event[range.start] !== OPEN_OBJECT) return undefined
    from = range.start
  }
  const value = range === undefined ? undefined : parseRange(event, range)
  return isRaw(value) ? value : undefined
}

/** Parses the event's JSON, for the rare paths. */
export function parseEventJson(event: Buffer): Raw | undefined {
  const start = findJsonStart(event)
  if (start < 0) return undefined
  try {
    const value: unknown = JSON.parse(event.toString('utf8', start, event.length))
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}

const ERROR_NAME = Buffer.from('event: error')
const ERROR_KEY = Buffer.from('"error"')

function holdsAt(data: Buffer, at: number, part: Buffer): boolean {
  if (at + part.length > data.length) return false
  for (let i = 0; i < part.length; i++) if (data[at + i] !== part[i]) return false
  return true
}

/** True if the event is the vendor's error: by its name, or with `error` as its first member. */
export function isErrorEvent(event: Buffer): boolean {
  if (holdsAt(event, 0, ERROR_NAME)) return true
  const start = findJsonStart(event)
  if (start < 0 || start > 16 || !holdsAt(event, skipSpace(event, start + 1, event.length), ERROR_KEY)) return false
  const member = findMember(event, start, event.length, 'error')
  return member !== undefined && event[member.start] !== NULL
}

/** True for a complete event without its blank line: some vendors omit the last one. */
export function isWholeEvent(rest: Buffer): boolean {
  const text = rest.toString('latin1').trimEnd()
  return text === '' || text.endsWith('[DONE]') || parseEventJson(rest) !== undefined
}
