import type { ClientRequest } from '../client.ts'

type PausableRequest = Pick<ClientRequest, 'pause' | 'resume'>

/**
 * Bytes that one turn of the loop reads of all large bodies together: at least one piece of a socket, the volume of 500 Mbit/s during a
 * turn, at most eight pieces.
 */
const MIN_TURN_BYTES = 65_536
const BYTES_PER_MS = 65_536
const MAX_TURN_BYTES = 524_288

let bytesLeft = MIN_TURN_BYTES
/** Bytes that each request may deliver before the next request's turn. */
let requestShare = MIN_TURN_BYTES
let turnStartedAt = 0
/** Weak: a turn ends once enough bytes arrived, and a request may have ended long before. */
let bytesByRequest = new WeakMap<PausableRequest, number>()
const waiting: PausableRequest[] = []

/**
 * Counts a chunk of a large body, and pauses its request after its share of this turn; paused requests resume round-robin in later
 * turns. Without it one turn reads up to 2 MB from every readable socket (libuv, `uv__read`), and all other requests wait.
 */
export function limitIntake(request: PausableRequest, bytes: number): void {
  bytesLeft -= bytes
  const sum = (bytesByRequest.get(request) ?? 0) + bytes
  bytesByRequest.set(request, sum)
  if (bytesLeft > 0 && sum < requestShare) return
  request.pause()
  if (waiting.push(request) === 1) setImmediate(resumeWaiting)
}

function resumeWaiting(): void {
  const now = performance.now()
  bytesLeft = Math.min(MAX_TURN_BYTES, MIN_TURN_BYTES + (now - turnStartedAt) * BYTES_PER_MS)
  turnStartedAt = now
  const pieces = Math.floor(bytesLeft / MIN_TURN_BYTES)
  const going = waiting.splice(0, pieces)
  requestShare = MIN_TURN_BYTES * Math.floor(pieces / going.length)
  bytesByRequest = new WeakMap()
  if (waiting.length > 0) setImmediate(resumeWaiting)
  for (const request of going) request.resume()
}
