import type { Call } from '../call.ts'
import type { Refused } from '../errors.ts'
import type { BodyBounds } from './bounds.ts'
import { takeRoom } from './memory.ts'
import { walkOn } from './slices.ts'
import type { BodySource } from './source.ts'
import type { Reader, Walk } from './slices.ts'

/** Where no length is told: room for the beginning, doubled as it fills. */
const FIRST_BYTES = 131_072
/** Where one is told, until so much has come: what is refused by its beginning, again and again, would fill the heap with 60 MB each. */
const FIRST_OF_KNOWN = 1_048_576
const NOTHING = Buffer.alloc(0)

export type Gathered = Buffer | Refused | undefined

/**
 * Collects a large body piece by piece into one buffer, so that no turn of the loop copies all of it, and counts what it holds as it comes:
 * one that is too much is refused at once, not when it is whole. Undefined where the client left.
 */
export function gatherBody(call: Call, source: BodySource, bounds: BodyBounds, reader: Reader, tooLarge: Refused): Promise<Gathered> {
  const { expected } = source
  const noRoom = expected === undefined ? undefined : takeRoom(call, expected)
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
        const refused = walk.bytes + chunk.length > bounds.bytes ? tooLarge : add(call, walk, chunk, expected, bounds.bytes)
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

/** Appends a piece; a refusal where there is no room for it. */
function add(call: Call, walk: Walk, chunk: Buffer, expected: number | undefined, most: number): Refused | undefined {
  const bytes = walk.bytes + chunk.length
  if (chunk.length === expected) walk.body = chunk
  else {
    if (bytes > walk.body.length) {
      const size = sizeFor(bytes, expected, most)
      const refused = expected === undefined ? takeRoom(call, size - walk.body.length) : undefined
      if (refused !== undefined) return refused
      // A memory of its own, so that it can be handed to the worker.
      const wider = Buffer.allocUnsafeSlow(size)
      walk.body.copy(wider, 0, 0, walk.bytes)
      walk.body = wider
    }
    chunk.copy(walk.body, walk.bytes)
  }
  walk.bytes = bytes
  return undefined
}

function sizeFor(bytes: number, expected: number | undefined, most: number): number {
  if (expected === undefined) return Math.min(most, Math.max(FIRST_BYTES, bytes * 2))
  return bytes > FIRST_OF_KNOWN ? expected : Math.min(expected, FIRST_OF_KNOWN)
}

function whole({ body, bytes, reader }: Walk): Buffer | Refused {
  const all = body.length === bytes ? body : body.subarray(0, bytes)
  return reader.note(all) ?? all
}
