import type { Duplex } from 'node:stream'

/** How long a client may take for a refusal. */
const REFUSAL_MS = 1000

/**
 * Ends a socket, its last word first, whether its peer takes that or not: who closes nothing and takes nothing would stay for ever.
 * Nothing more is read of it.
 */
export function hangUp(socket: Duplex, lastWord?: Buffer | string, withinMs = REFUSAL_MS): void {
  const timer = setTimeout(() => socket.destroy(), withinMs)
  socket.once('close', () => clearTimeout(timer))
  socket.pause()
  socket.end(lastWord, () => socket.destroy())
}
