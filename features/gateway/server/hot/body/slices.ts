import type { RequestRefusal } from '../errors.ts'
import { MAX_FORM_PARTS, walkEdges, createEdgeWalk, noteEdges } from '../media/edges.ts'
import { noteEnds } from '../json/notes.ts'
import type { BodyBounds } from './bounds.ts'
import { isCompleteValue, createWeigher, weighSlice } from './weigh.ts'

/** Reads a body while it comes, and keeps what later steps would have to search for. */
export interface BodyReader {
  /** One slice of what has come up to `to`; true when there is more. */
  readonly on: (body: Buffer, to: number) => boolean
  readonly problem: () => RequestRefusal | undefined
  /** The whole body is here and read. Refuses one that is cut off: every later scan would walk over all of it. */
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

/** `delimiter`: what each part begins with; empty where the form cannot be read anyway. */
export function createFormReader(delimiter: Buffer): BodyReader {
  const walk = createEdgeWalk(delimiter)
  return {
    on: (body, to) => walkEdges(walk, body, to),
    problem: () => (walk.isTooMany ? TOO_MANY_PARTS_REFUSAL : undefined),
    note: (all) => void noteEdges(all, walk),
  }
}

/** Walks over a body that was made here, a slice a turn of the loop, and notes what later scans would have to search for. */
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

/** Runs work that yields, a slice a turn of the loop. Rejects with what it throws. */
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
  /** Everything that has come is walked, or something is wrong with it. */
  readonly caughtUp: () => void
}

/** Walks with something to do: one slice of one of them a turn, in turns, so that many large bodies hold the loop no longer than one. */
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
