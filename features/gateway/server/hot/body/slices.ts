import type { RequestRefusal } from '../errors.ts'
import { MAX_FORM_PARTS, walkEdges, createEdgeWalk, noteEdges } from '../media/edges.ts'
import { noteEnds } from '../json/notes.ts'
import type { BodyBounds } from './bounds.ts'
import { isCompleteValue, createWeigher, weighSlice } from './weigh.ts'

/** Parses a body while it arrives, and records positions that later steps would have to search for. */
export interface BodyReader {
  /** Processes one slice of the bytes received up to `to`; true if there is more. */
  readonly on: (body: Buffer, to: number) => boolean
  readonly problem: () => RequestRefusal | undefined
  /** Completes a body that is received and parsed. Refuses a truncated one: every later scan would walk over all of it. */
  readonly note: (all: Buffer) => RequestRefusal | undefined
}

export function createJsonReader(bounds: BodyBounds): BodyReader {
  const weigher = createWeigher(bounds)
  return {
    on: (body, to) => weighSlice(weigher, body, to),
    problem: () => weigher.problem,
    note: (all) => {
      if (!isCompleteValue(weigher)) return CUT_OFF_REFUSAL
      noteEnds(all, weigher.ends)
      return undefined
    },
  }
}

const CUT_OFF_REFUSAL: RequestRefusal = { cause: 'bad_json', message: 'The request body is not valid JSON: it ends before its object does.' }
const TOO_MANY_PARTS_REFUSAL: RequestRefusal = { cause: 'bad_json', message: `The request body is not a valid form: it has more than ${MAX_FORM_PARTS} parts.` }

/** `delimiter`: prefix of each part; empty if the form cannot be parsed. */
export function createFormReader(delimiter: Buffer): BodyReader {
  const walk = createEdgeWalk(delimiter)
  return {
    on: (body, to) => walkEdges(walk, body, to),
    problem: () => (walk.isTooMany ? TOO_MANY_PARTS_REFUSAL : undefined),
    note: (all) => void noteEdges(all, walk),
  }
}

/** Walks a body built here, one slice per turn of the loop, and records positions that later scans would have to search for. */
export function noteBodyInTurns(body: Buffer): Promise<void> {
  const reader = createJsonReader(UNBOUNDED)
  return new Promise((resolve) => {
    const caughtUp = (): void => {
      reader.note(body)
      resolve()
    }
    continueWalk({ reader, body, bytes: body.length, isWaiting: false, caughtUp })
  })
}

/** Runs work that yields, one slice per turn of the loop. Rejects with its error. */
export function runInTurns<T>(work: Generator<unknown, T, void>): Promise<T> {
  return new Promise((resolve, reject) => {
    const on = (): boolean => {
      try {
        const { done, value } = work.next()
        if (done === true) resolve(value)
        return done !== true
      } catch (error) {
        reject(error as Error)
        return false
      }
    }
    continueWalk({ reader: { on, problem: () => undefined, note: () => undefined }, body: EMPTY, bytes: 0, isWaiting: false, caughtUp: () => undefined })
  })
}

const EMPTY = Buffer.alloc(0)

/** No limits: a body within its bounds as received may exceed them once translated. */
const UNBOUNDED: BodyBounds = { bytes: Infinity, values: Infinity, depth: Infinity }

/** A body in transit and its reader. */
export interface BodyWalk {
  readonly reader: BodyReader
  body: Buffer
  /** Bytes received so far. */
  bytes: number
  isWaiting: boolean
  /** Called once all received bytes are processed or the body is refused. */
  readonly caughtUp: () => void
}

/** Walks with pending work: one slice of one of them per turn, round-robin, so that many large bodies block the loop no longer than one. */
const waitingWalks: BodyWalk[] = []

export function continueWalk(walk: BodyWalk): void {
  if (walk.isWaiting) return
  walk.isWaiting = true
  if (waitingWalks.push(walk) === 1) setImmediate(walkNextSlice)
}

function walkNextSlice(): void {
  const walk = waitingWalks.shift()!
  if (walk.reader.on(walk.body, walk.bytes) && walk.reader.problem() === undefined) waitingWalks.push(walk)
  else {
    walk.isWaiting = false
    walk.caughtUp()
  }
  if (waitingWalks.length > 0) setImmediate(walkNextSlice)
}
