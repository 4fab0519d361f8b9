import type { Refused } from '../errors.ts'
import { MOST_PARTS, edgesOn, newEdgeWalk, noteEdges } from '../media/edges.ts'
import { noteEnds } from '../json/notes.ts'
import type { BodyBounds } from './bounds.ts'
import { isWhole, newWeigher, weighOn } from './weigh.ts'

/** Reads a body while it comes, and keeps what later steps would have to search for. */
export interface Reader {
  /** One slice of what has come up to `to`; true when there is more. */
  readonly on: (body: Buffer, to: number) => boolean
  readonly problem: () => Refused | undefined
  /** The whole body is here and read. Refuses one that is cut off: every later scan would walk over all of it. */
  readonly note: (all: Buffer) => Refused | undefined
}

export function jsonReader(bounds: BodyBounds): Reader {
  const weigher = newWeigher(bounds)
  return {
    on: (body, to) => weighOn(weigher, body, to),
    problem: () => weigher.problem,
    note: (all) => {
      if (!isWhole(weigher)) return CUT_OFF
      noteEnds(all, weigher.ends)
      return undefined
    },
  }
}

const CUT_OFF: Refused = { cause: 'bad_json', message: 'The request body is not valid JSON: it ends before its object does.' }
const TOO_MANY: Refused = { cause: 'bad_json', message: `The request body is not a valid form: it has more than ${MOST_PARTS} parts.` }

/** `delimiter`: what each part begins with; empty where the form cannot be read anyway. */
export function formReader(delimiter: Buffer): Reader {
  const walk = newEdgeWalk(delimiter)
  return { on: (body, to) => edgesOn(walk, body, to), problem: () => (walk.isTooMany ? TOO_MANY : undefined), note: (all) => void noteEdges(all, walk) }
}

/** Walks over a body that was made here, a slice a turn of the loop, and notes what later scans would have to search for. */
export function noteWhole(body: Buffer): Promise<void> {
  const reader = jsonReader(UNBOUNDED)
  return new Promise((resolve) => {
    const caughtUp = (): void => {
      reader.note(body)
      resolve()
    }
    walkOn({ reader, body, bytes: body.length, isWaiting: false, caughtUp })
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
    walkOn({ reader: { on, problem: () => undefined, note: () => undefined }, body: EMPTY, bytes: 0, isWaiting: false, caughtUp: () => undefined })
  })
}

const EMPTY = Buffer.alloc(0)

/** No limits: a body within its bounds as received may exceed them once translated. */
const UNBOUNDED: BodyBounds = { bytes: Infinity, values: Infinity, depth: Infinity }

/** A body in transit and its reader. */
export interface Walk {
  readonly reader: Reader
  body: Buffer
  /** Bytes received so far. */
  bytes: number
  isWaiting: boolean
  /** Everything that has come is walked, or something is wrong with it. */
  readonly caughtUp: () => void
}

/** Walks with something to do: one slice of one of them a turn, in turns, so that many large bodies hold the loop no longer than one. */
const waiting: Walk[] = []

export function walkOn(walk: Walk): void {
  if (walk.isWaiting) return
  walk.isWaiting = true
  if (waiting.push(walk) === 1) setImmediate(next)
}

function next(): void {
  const walk = waiting.shift()!
  if (walk.reader.on(walk.body, walk.bytes) && walk.reader.problem() === undefined) waiting.push(walk)
  else {
    walk.isWaiting = false
    walk.caughtUp()
  }
  if (waiting.length > 0) setImmediate(next)
}
