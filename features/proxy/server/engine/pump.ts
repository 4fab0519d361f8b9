import type { Readable, Writable } from 'node:stream'
import type { Duplex } from 'node:stream'
import type { Guest } from './guest.ts'

/** A timer may fire a little early or late: below this nobody waits. */
const SLACK_MS = 5

/** Moves bytes one way at the guest's pace; stops reading while the taker is full or the guest has had its share. Ends the taker at the end. */
export function pump(from: Readable, to: Writable, guest: Guest, direction: 'up' | 'down'): void {
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  const goOn = () => {
    if (!isFull && timer === undefined) from.resume()
  }
  from.on('data', (chunk: Buffer) => {
    const waitMs = guest.take(chunk.length, direction)
    if (!to.writable) return
    isFull = !to.write(chunk)
    if (waitMs > SLACK_MS && timer === undefined)
      timer = setTimeout(() => {
        timer = undefined
        goOn()
      }, waitMs)
    if (isFull || timer !== undefined) from.pause()
  })
  to.on('drain', () => {
    isFull = false
    goOn()
  })
  from.once('end', () => to.end())
  from.once('close', () => clearTimeout(timer))
  // whoever read its greeting has paused it
  from.resume()
}

/** A tunnel between two sockets until either ends or the guest is cut. Counts as one tunnel until then. */
export function splice(client: Duplex, target: Duplex, guest: Guest): void {
  const end = () => {
    client.destroy()
    target.destroy()
  }
  const release = keepOpen(guest, end)
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const) {
    one.once('error', end)
    one.once('close', () => {
      release()
      // what was written may still leave
      if (!other.destroyed) other.end(() => other.destroy())
    })
  }
  if (client.destroyed || target.destroyed) return end()
  pump(client, target, guest, 'up')
  pump(target, client, guest, 'down')
}

/** Notes an open tunnel and how to cut it; the answer takes the note back. */
export function keepOpen(guest: Guest, end: () => void): () => void {
  guest.open.add(end)
  guest.moved.tunnels++
  return () => void guest.open.delete(end)
}
