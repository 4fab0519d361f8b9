import { SMALL_BODY_BYTES, resolveBodyBounds } from '../../body/bounds.ts'
import { createJsonReader, continueWalk } from '../../body/slices.ts'
import type { BodyWalk } from '../../body/slices.ts'
import type { RequestRefusal } from '../../errors.ts'

/** Maximum size of a client's frame; larger ones close the socket (1009). Realtime's own limit is 15 MiB an event. */
export const MAX_CLIENT_FRAME_BYTES = 16 * 1024 * 1024
/** Maximum length of a value that is parsed; no vendor has a longer setting. */
export const MAX_VALUE_BYTES = 65_536

export const isLargeFrame = (frame: Buffer): boolean => frame.length > SMALL_BODY_BYTES

/**
 * Walks a large frame, one slice per turn of the loop, like an HTTP body: its content is bounded, and later readers skip its long values.
 * Undefined for a small frame, which is cheap to read.
 */
export function weighFrame(frame: Buffer): Promise<RequestRefusal | undefined> | undefined {
  if (!isLargeFrame(frame)) return undefined
  const reader = createJsonReader(resolveBodyBounds(undefined, MAX_CLIENT_FRAME_BYTES))
  return new Promise((resolve) => {
    const walk: BodyWalk = { reader, body: frame, bytes: frame.length, isWaiting: false, caughtUp: () => resolve(reader.problem() ?? reader.note(frame)) }
    continueWalk(walk)
  })
}
