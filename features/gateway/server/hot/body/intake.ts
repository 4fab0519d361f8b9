import type { ClientRequest } from '../client.ts'

type Sender = Pick<ClientRequest, 'pause' | 'resume'>

/** Bytes that one turn of the loop takes in of all large bodies together: a piece of a socket at least, what 500 Mbit/s bring in the time of a turn, eight pieces at most. */
const LEAST = 65_536
const A_MILLISECOND = 65_536
const MOST = 524_288

let left = LEAST
/** Bytes that each request may bring before the next one's turn. */
let share = LEAST
let since = 0
/** Weak: a turn ends once enough bytes arrived, and a request may have ended long before. */
let brought = new WeakMap<Sender, number>()
const waiting: Sender[] = []

/**
 * Counts a chunk of a large body, and pauses its request after its share of this turn; paused requests resume round-robin in later
 * turns. Without it one turn reads up to 2 MB from every readable socket (libuv, `uv__read`), and all other requests wait.
 */
export function boundIntake(request: Sender, bytes: number): void {
  left -= bytes
  const sum = (brought.get(request) ?? 0) + bytes
  brought.set(request, sum)
  if (left > 0 && sum < share) return
  request.pause()
  if (waiting.push(request) === 1) setImmediate(goOn)
}

function goOn(): void {
  const now = performance.now()
  left = Math.min(MOST, LEAST + (now - since) * A_MILLISECOND)
  since = now
  const pieces = Math.floor(left / LEAST)
  const going = waiting.splice(0, pieces)
  share = LEAST * Math.floor(pieces / going.length)
  brought = new WeakMap()
  if (waiting.length > 0) setImmediate(goOn)
  for (const request of going) request.resume()
}
