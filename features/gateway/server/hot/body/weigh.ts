import type { RequestRefusal } from '../errors.ts'
import type { BodyBounds } from './bounds.ts'

/**
 * Walks a large JSON body as it arrives, one slice per turn, and counts its contents. Records the ends of long strings and
 * containers (`ends`) so that later scans skip them: no scan is longer than the bounds allow.
 */
export interface Weigher {
  readonly bounds: BodyBounds
  /** Everything before this position is processed; may be one past the received bytes, after a backslash. */
  at: number
  /** Start of the open string; -1 outside strings. */
  string: number
  escapes: number
  /** Starts of the open objects and lists, and their kinds. */
  readonly starts: number[]
  readonly kinds: number[]
  /** Commas in each open container so far. */
  readonly commas: number[]
  values: number
  members: number
  /** Consecutive spaces, digits and letters. */
  run: number
  readonly ends: Map<number, number>
  problem: RequestRefusal | undefined
}

const QUOTE = 34,
  BACKSLASH = 92,
  OPEN_OBJECT = 123
const OTHER = 0,
  TEXT = 1,
  OPEN = 2,
  CLOSE = 3,
  NEXT = 4,
  COLON = 5
const KIND = new Uint8Array(256)
for (const [kind, signs] of [
  [TEXT, '"'],
  [OPEN, '{['],
  [CLOSE, '}]'],
  [NEXT, ','],
  [COLON, ':'],
] as const)
  for (const sign of signs) KIND[sign.charCodeAt(0)] = kind

/** Steps per slice: less than a millisecond on a slow core. */
const SLICE = 16_384
const SLICE_BYTES = 1_048_576
/** Shorter values are walked as fast as they are looked up. */
const NOTED_STRING = 4_096
const NOTED_ESCAPES = 2
const NOTED_CONTAINER = 256
/** No vendor's requests use a tenth of this. */
const MAX_MEMBERS = 1_000
/** Fields of any nested object: OpenAI accepts 5,000 properties in a whole schema. One object is read in one turn. */
const MAX_FIELDS = 8_192
const LONGEST_RUN = 512
/** Bytes checked one by one before the next quote is searched for. */
const NEAR = 24

export function createWeigher(bounds: BodyBounds): Weigher {
  return { bounds, at: 0, string: -1, escapes: 0, starts: [], kinds: [], commas: [], values: 0, members: 0, run: 0, ends: new Map(), problem: undefined }
}

/** Walks one slice of the bytes received up to `to`; true if there is more to walk or a problem was found. */
export function weighSlice(w: Weigher, body: Buffer, to: number): boolean {
  const end = Math.min(to, w.at + SLICE_BYTES)
  const view = body.subarray(0, end)
  let steps = SLICE
  while (w.at < end && steps > 0 && w.problem === undefined) steps -= w.string >= 0 ? walkString(w, view, end) : walkOutside(w, view, end, steps)
  return w.at < to || w.problem !== undefined
}

/** Walks within a string, to its end or that of the view. Returns the cost. */
function walkString(w: Weigher, view: Buffer, end: number): number {
  let i = w.at
  const near = Math.min(end, i + NEAR)
  while (i < near) {
    const c = view[i]!
    if (c === QUOTE) return endString(w, i)
    if (c === BACKSLASH) {
      w.escapes++
      i += 2
    } else i++
  }
  if (i >= end) {
    w.at = i
    return NEAR
  }
  const quote = view.indexOf(QUOTE, i)
  const stop = quote < 0 ? end : quote
  let back = stop
  while (back > i && view[back - 1] === BACKSLASH) back--
  const isEscaped = ((stop - back) & 1) === 1
  if (quote >= 0 && !isEscaped) return endString(w, quote)
  if (isEscaped) w.escapes++
  w.at = isEscaped ? stop + 1 : stop
  return NEAR + ((stop - i) >> 5) + (stop - back)
}

function endString(w: Weigher, quote: number): number {
  const walked = quote - w.at
  if (quote - w.string >= NOTED_STRING || w.escapes >= NOTED_ESCAPES) w.ends.set(w.string, quote + 1)
  w.string = -1
  w.at = quote + 1
  return Math.min(walked, NEAR) + 8
}

function walkOutside(w: Weigher, view: Buffer, end: number, steps: number): number {
  const from = w.at
  const most = Math.min(end, from + steps)
  let i = from
  let { run } = w
  for (; i < most; i++) {
    const c = view[i]!
    const kind = KIND[c]!
    if (kind === OTHER) {
      if (++run > LONGEST_RUN)
        w.problem = { cause: 'bad_json', message: `The request body is not acceptable JSON: more than ${LONGEST_RUN} spaces or digits in a row.` }
      else continue
      break
    }
    run = 0
    if (kind === TEXT) {
      w.string = i++
      w.escapes = 0
      break
    }
    if (kind === OPEN) open(w, c, i)
    else if (kind === CLOSE) close(w, c, i)
    else if (kind === NEXT) next(w)
    if (w.problem !== undefined) break
  }
  w.run = run
  w.at = i
  return i - from + 1
}

function open(w: Weigher, c: number, at: number): void {
  w.starts.push(at)
  w.kinds.push(c)
  w.commas.push(0)
  if (w.starts.length > w.bounds.depth)
    w.problem = { cause: 'too_deep', message: `The request body is nested deeper than the ${w.bounds.depth} levels accepted here.` }
  count(w)
}

function next(w: Weigher): void {
  const inside = w.commas.length - 1
  if (++w.commas[inside]! >= MAX_FIELDS && w.kinds[inside] === OPEN_OBJECT)
    w.problem = { cause: 'too_large', message: `An object in the request body has more than the ${MAX_FIELDS} fields accepted here.` }
  count(w)
}

function count(w: Weigher): void {
  if (++w.values > w.bounds.values)
    w.problem = { cause: 'too_large', message: `The request body holds more than the ${w.bounds.values} JSON values accepted here. Send less in one request.` }
  if (w.starts.length === 1 && ++w.members > MAX_MEMBERS)
    w.problem = { cause: 'too_large', message: `The request body has more than the ${MAX_MEMBERS} fields accepted here.` }
}

function close(w: Weigher, c: number, at: number): void {
  const kind = w.kinds.pop()
  const start = w.starts.pop()
  w.commas.pop()
  if (kind !== c - 2 || start === undefined) {
    w.problem = { cause: 'bad_json', message: 'The request body is not valid JSON: its brackets do not match.' }
    return
  }
  if (at - start >= NOTED_CONTAINER) w.ends.set(start, at + 1)
}

/** True if the walk reached the end of a complete value: only then are its notes valid. */
export function isCompleteValue(w: Weigher): boolean {
  return w.problem === undefined && w.string < 0 && w.starts.length === 0
}
