import type { Duplex } from 'node:stream'

/** Timeout in which a client must read a refusal. */
const REFUSAL_MS = 1000

/** Sends a final response and closes the socket after a timeout, even if the peer neither reads nor closes. Reads nothing more. */
export function hangUp(socket: Duplex, lastWord?: Buffer | string, withinMs = REFUSAL_MS): void {
  const timer = setTimeout(() => socket.destroy(), withinMs)
  socket.once('close', () => clearTimeout(timer))
  socket.pause()
  socket.end(lastWord, () => socket.destroy())
}
