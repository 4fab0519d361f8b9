import { scanObject, skipSpace } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { MAX_VALUE_BYTES, isLargeFrame } from './intake/weigh-frame.ts'

/** One member of a frame: `piece` is `"key":value` as received, `start` and `end` delimit its value in the frame. */
export interface FrameMember extends JsonMember {
  readonly piece: Buffer
  readonly value: Buffer
}

const QUOTE = 34

/** Returns the top-level members of a JSON object with their values unparsed; undefined if the text is not an object. */
export const readFrameMembers = (frame: Buffer): FrameMember[] | undefined => readFrameMembersIn(frame, { start: 0, end: frame.length })

/** Returns the members of an object within a frame. */
export function readFrameMembersIn(frame: Buffer, range: { readonly start: number; readonly end: number }): FrameMember[] | undefined {
  const found: JsonMember[] = []
  const end = scanObject(frame, range.start, range.end, undefined, found)
  if (end < 0 || skipSpace(frame, end, range.end) !== range.end) return undefined
  let from = range.start
  return found.map((member) => {
    const start = frame.indexOf(QUOTE, from)
    from = member.end
    return { ...member, piece: frame.subarray(start, member.end), value: frame.subarray(member.start, member.end) }
  })
}

/** The parsed value of the last member of that name; undefined if absent, not JSON, or longer than any setting. */
export function parseFrameValue(pieces: readonly FrameMember[], key: string): unknown {
  const found = pieces.findLast((piece) => piece.key === key)
  if (found === undefined || found.value.length > MAX_VALUE_BYTES) return undefined
  try {
    return JSON.parse(found.value.toString())
  } catch {
    return undefined
  }
}

export function parseFrameText(pieces: readonly FrameMember[], key: string): string | undefined {
  const value = parseFrameValue(pieces, key)
  return typeof value === 'string' ? value : undefined
}

const TYPE = ['type']

const TYPE_KEY = Buffer.from('"type"')
const ESCAPE = Buffer.from('\\u')

/** True if parsers may disagree about the event's type: it is repeated, or written with escapes. */
export function hasAmbiguousType(frame: Buffer): boolean {
  if (!isLargeFrame(frame)) {
    const first = frame.indexOf(TYPE_KEY)
    if (first >= 0 && frame.indexOf(TYPE_KEY, first + 1) < 0 && frame.indexOf(ESCAPE) < 0) return false
  }
  const found: JsonMember[] = []
  if (scanObject(frame, 0, frame.length, TYPE, found) < 0) return false
  return found.length > 1 || (found.length === 1 && frame.subarray(found[0]!.start, found[0]!.end).includes(92))
}

/** The `type` of an event, '' without one. Vendors usually write it first, but do not guarantee it. */
export function readFrameType(frame: Buffer): string {
  const quick = /^\{"type":"([a-z_.]{1,80})"/.exec(frame.toString('latin1', 0, 96))
  if (quick !== null) return quick[1]!
  const found: JsonMember[] = []
  if (scanObject(frame, 0, frame.length, TYPE, found) < 0) return ''
  const last = found.at(-1)
  if (last === undefined || last.end - last.start > 120) return ''
  const text = frame.toString('utf8', last.start, last.end)
  return /^"[a-z_.]+"$/.test(text) ? text.slice(1, -1) : ''
}
