import type { Call } from '../call.ts'
import type { Refused } from '../errors.ts'
import type { BodyBounds } from './bounds.ts'
import { memoryOf, takeRoom } from './memory.ts'
import { walkOn } from './slices.ts'
import type { BodySource } from './source.ts'
import type { Reader, Walk } from './slices.ts'

/** Initial buffer in bytes for a body without a declared length; doubles as it fills. */
const FIRST_BYTES = 131_072
/** Until so much has come: bodies that are refused by their beginning, again and again, would fill the heap with 60 MB each. */
const BEGINNING = 1_048_576
const NOTHING = Buffer.alloc(0)

export type Gathered = Buffer | Refused | undefined

/**
 * Collects a large body piece by piece into one buffer, so that no turn of the loop copies all of it, and counts what it holds as it comes:
 * one that is too much is refused at once, not when it is whole. Undefined where the client left.
 */
export function gatherBody(call: Call, source: BodySource, bounds: BodyBounds, reader: Reader, tooLarge: Refused): Promise<Gathered> {
  const { expected } = source
  let room = expected ?? 0
  const noRoom = room === 0 ? undefined : takeRoom(call, room)
  if (noRoom !== undefined) return Promise.resolve(noRoom)
  return new Promise((resolve) => {
    let isOver = false
    let isHere = false
    const done = (value: Gathered): void => {
      isOver = true
      walk.body = NOTHING
      walk.bytes = 0
      source.stop()
      resolve(value)
    }
    const makeRoom = (bytes: number): Refused | undefined => {
      if (bytes <= room) return undefined
      const wanted = Math.min(bounds.bytes, Math.max(FIRST_BYTES, bytes * 2))
      const refused = takeRoom(call, wanted - room)
      room = wanted
      return refused
    }
    const walk: Walk = {
      reader,
      body: NOTHING,
      bytes: 0,
      isWaiting: false,
      caughtUp() {
        if (isOver) return
        const problem = reader.problem()
        if (problem !== undefined) done(problem)
        else if (isHere) done(whole(walk))
      },
    }
    source.begin({
      data(chunk) {
        if (isOver || isHere) return
        const refused = walk.bytes + chunk.length > bounds.bytes ? tooLarge : (makeRoom(walk.bytes + chunk.length) ?? add(walk, chunk, expected, bounds.bytes))
        if (refused !== undefined) return done(refused)
        isHere = walk.bytes === expected
        walkOn(walk)
      },
      end() {
        if (isOver) return
        isHere = true
        walkOn(walk)
      },
      gone() {
        if (!isOver && !isHere) done(undefined)
      },
      refuse(refused) {
        if (!isOver && !isHere) done(refused)
      },
    })
  })
}

/** Appends a piece. Memory grows by what costs little to copy, and then once: pages that are never written take no memory of the machine. */
function add(walk: Walk, chunk: Buffer, expected: number | undefined, most: number): undefined {
  const bytes = walk.bytes + chunk.length
  if (chunk.length === expected) walk.body = chunk
  else {
    if (bytes > walk.body.length) {
      const wider = memoryOf(sizeFor(bytes, expected, most))
      walk.body.copy(wider, 0, 0, walk.bytes)
      walk.body = wider
    }
    chunk.copy(walk.body, walk.bytes)
  }
  walk.bytes = bytes
}

function sizeFor(bytes: number, expected: number | undefined, most: number): number {
  if (bytes > BEGINNING) return expected ?? most
  return Math.min(expected ?? Math.max(FIRST_BYTES, bytes * 2), most, BEGINNING)
}

function whole({ body, bytes, reader }: Walk): Buffer | Refused {
  const all = body.length === bytes ? body : body.subarray(0, bytes)
  return reader.note(all) ?? all
}
