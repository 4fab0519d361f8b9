import { scanObject, skipSpace, skipValue } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import type { InputBounds } from './bounds.ts'

const OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  COMMA = 44,
  OPEN_OBJECT = 123,
  QUOTE = 34,
  NULL = 110

type VisitValue = (body: Buffer, start: number, end: number, into: InputBounds) => void

/**
 * Visits each element of an array, or the value itself if it is none; past `looks` the rest counts as the window. Strings and null are
 * skipped.
 */
export function visitElements(body: Buffer, range: JsonMember | undefined, look: VisitValue, into: InputBounds): void {
  if (range === undefined) return
  if (body[range.start] === OPEN_OBJECT) return look(body, range.start, range.end, into)
  if (body[range.start] !== OPEN_ARRAY) return
  let i = skipSpace(body, range.start + 1, range.end)
  while (i < range.end && body[i] !== CLOSE_ARRAY) {
    if (into.looks-- <= 0) {
      into.added = Infinity
      return
    }
    const end = skipValue(body, i, range.end)
    if (end < 0) return
    if (body[i] === OPEN_OBJECT) look(body, i, end, into)
    i = skipSpace(body, end, range.end)
    if (body[i] === COMMA) i = skipSpace(body, i + 1, range.end)
  }
}

/** Wanted members of a request's own object, which a byte order mark may precede. */
export function readTopMembers(body: Buffer, wanted: readonly string[]): JsonMember[] {
  return readMembers(body, body.indexOf(OPEN_OBJECT), body.length, wanted)
}

/** Wanted members of the object at `start`; all members if no names are given. */
export function readMembers(body: Buffer, start: number, end: number, wanted?: readonly string[]): JsonMember[] {
  const found: JsonMember[] = []
  scanObject(body, start, end, wanted, found)
  return found
}

/**
 * The one member of that name; undefined if absent or null. If a name is repeated, parsers differ in which one they take: `twice` reports
 * it, and such a part is never discounted.
 */
export function findNamedMember(found: readonly JsonMember[], body: Buffer, ...keys: readonly string[]): JsonMember | undefined {
  const member = found.findLast((one) => keys.includes(one.key))
  return member === undefined || body[member.start] === NULL ? undefined : member
}

export function hasDuplicateKeys(found: readonly JsonMember[]): boolean {
  return found.some((one, at) => found.findIndex((other) => other.key === one.key) !== at)
}

/** A short text; '' for anything else. */
export function readShortText(body: Buffer, range: JsonMember | undefined): string {
  if (range === undefined || body[range.start] !== QUOTE || range.end - range.start > 200) return ''
  const raw = body.toString('latin1', range.start, range.end)
  if (!raw.includes('\\')) return raw.slice(1, -1)
  try {
    return JSON.parse(raw) as string
  } catch {
    return ''
  }
}

/** True if the text begins with this; an escaped beginning does not match. */
export function startsWithText(body: Buffer, range: JsonMember, text: string): boolean {
  return body[range.start] === QUOTE && body.toString('latin1', range.start + 1, range.start + 1 + text.length) === text
}

/** A whole number from 0; undefined for anything else. */
export function readWholeNumberAt(body: Buffer, range: JsonMember | undefined): number | undefined {
  if (range === undefined || range.end - range.start > 12) return undefined
  const value = Number(body.toString('latin1', range.start, range.end))
  return Number.isInteger(value) && value >= 0 ? value : undefined
}
