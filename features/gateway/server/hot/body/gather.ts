import type { GatewayCall } from '../call.ts'
import type { RequestRefusal } from '../errors.ts'
import type { BodyBounds } from './bounds.ts'
import { allocateBody, reserveRoom } from './memory.ts'
import { continueWalk } from './slices.ts'
import type { BodySource } from './source.ts'
import type { BodyReader, BodyWalk } from './slices.ts'

/** Initial buffer in bytes for a body without a declared length; doubles as it fills. */
const FIRST_BYTES = 131_072
/**
 * Bytes received before a body gets its full-size buffer: bodies that are refused early, again and again, would fill the heap with 60 MB
 * each.
 */
const MAX_GROWTH_BYTES = 1_048_576
const NOTHING = Buffer.alloc(0)

export type GatheredBody = Buffer | RequestRefusal | undefined

/**
 * Collects a large body piece by piece into one buffer, so that no turn of the loop copies all of it, and counts its contents on arrival:
 * an excessive body is refused at once, not when complete. Returns undefined if the client disconnected.
 */
export function gatherBody(call: GatewayCall, source: BodySource, bounds: BodyBounds, reader: BodyReader, tooLarge: RequestRefusal): Promise<GatheredBody> {
  const { expected } = source
  let room = expected ?? 0
  const noRoom = room === 0 ? undefined : reserveRoom(call, room)
  if (noRoom !== undefined) return Promise.resolve(noRoom)
  return new Promise((resolve) => {
    let isOver = false
    let isHere = false
    const done = (value: GatheredBody): void => {
      isOver = true
      walk.body = NOTHING
      walk.bytes = 0
      source.stop()
      resolve(value)
    }
    const makeRoom = (bytes: number): RequestRefusal | undefined => {
      if (bytes <= room) return undefined
      const wanted = Math.min(bounds.bytes, Math.max(FIRST_BYTES, bytes * 2))
      const refused = reserveRoom(call, wanted - room)
      room = wanted
      return refused
    }
    const walk: BodyWalk = {
      reader,
      body: NOTHING,
      bytes: 0,
      isWaiting: false,
      caughtUp() {
        if (isOver) return
        const problem = reader.problem()
        if (problem !== undefined) done(problem)
        else if (isHere) done(finishBody(walk))
      },
    }
    source.begin({
      data(chunk) {
        if (isOver || isHere) return
        const refused =
          walk.bytes + chunk.length > bounds.bytes ? tooLarge : (makeRoom(walk.bytes + chunk.length) ?? appendChunk(walk, chunk, expected, bounds.bytes))
        if (refused !== undefined) return done(refused)
        isHere = walk.bytes === expected
        continueWalk(walk)
      },
      end() {
        if (isOver) return
        isHere = true
        continueWalk(walk)
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

/**
 * Appends a piece. Memory grows while copying is cheap, and then once to the full size: pages that are never written use no physical
 * memory.
 */
function appendChunk(walk: BodyWalk, chunk: Buffer, expected: number | undefined, most: number): undefined {
  const bytes = walk.bytes + chunk.length
  if (chunk.length === expected) walk.body = chunk
  else {
    if (bytes > walk.body.length) {
      const wider = allocateBody(computeBufferSize(bytes, expected, most))
      walk.body.copy(wider, 0, 0, walk.bytes)
      walk.body = wider
    }
    chunk.copy(walk.body, walk.bytes)
  }
  walk.bytes = bytes
}

function computeBufferSize(bytes: number, expected: number | undefined, most: number): number {
  if (bytes > MAX_GROWTH_BYTES) return expected ?? most
  return Math.min(expected ?? Math.max(FIRST_BYTES, bytes * 2), most, MAX_GROWTH_BYTES)
}

function finishBody({ body, bytes, reader }: BodyWalk): Buffer | RequestRefusal {
  const all = body.length === bytes ? body : body.subarray(0, bytes)
  return reader.note(all) ?? all
}
