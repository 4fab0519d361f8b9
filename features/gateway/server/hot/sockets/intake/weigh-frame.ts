import { SMALL_BYTES, boundsOf } from '../../body/bounds.ts'
import { jsonReader, walkOn } from '../../body/slices.ts'
import type { Walk } from '../../body/slices.ts'
import type { Refused } from '../../errors.ts'

/** Frames of a client; larger ones close the socket (1009). Realtime's own limit is 15 MiB an event. */
export const FRAME_BYTES = 16 * 1024 * 1024
/** A value that is read whole; a longer one is no setting of any vendor's. */
export const VALUE_BYTES = 65_536

export const isLargeFrame = (frame: Buffer): boolean => frame.length > SMALL_BYTES

/**
 * Walks over a large frame, one slice per turn of the loop, like an HTTP body: its content is bounded, and later readers skip its long values.
 * Undefined for a small one, which costs next to nothing.
 */
export function weighFrame(frame: Buffer): Promise<Refused | undefined> | undefined {
  if (!isLargeFrame(frame)) return undefined
  const reader = jsonReader(boundsOf(undefined, FRAME_BYTES))
  return new Promise((resolve) => {
    const walk: Walk = { reader, body: frame, bytes: frame.length, isWaiting: false, caughtUp: () => resolve(reader.problem() ?? reader.note(frame)) }
    walkOn(walk)
  })
}
