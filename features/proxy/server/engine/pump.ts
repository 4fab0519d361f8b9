import type { Readable, Writable, Duplex } from 'node:stream'
import type { Guest } from './guest.ts'
import { hangUp } from './hang-up.ts'

/** Precision of timers: shorter waits are skipped. */
const SLACK_MS = 5
/** Time to flush the written data of a tunnel after its other side closed. */
export const LEAVING_MS = 10_000

/**
 * Copies bytes one way at the guest's bandwidth. Pauses while the writer is full or the
 * guest must wait, `owedMs` of it before the first byte. Ends the writer at the end.
 */
export function pump(
  from: Readable,
  to: Writable,
  { guest, direction, owedMs = 0 }: { readonly guest: Guest; readonly direction: 'up' | 'down'; readonly owedMs?: number },
): void {
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  const goOn = () => {
    if (!isFull && timer === undefined) from.resume()
  }
  const wait = (ms: number) => {
    if (ms > SLACK_MS && timer === undefined)
      timer = setTimeout(() => {
        timer = undefined
        goOn()
      }, ms)
    if (isFull || timer !== undefined) from.pause()
  }
  // A listener would start the flow at once, and end the stream if it is empty
  from.pause()
  from.on('data', (chunk: Buffer) => {
    const waitMs = guest.take(chunk.length, direction)
    if (!to.writable) return
    isFull = !to.write(chunk)
    wait(waitMs)
  })
  to.on('drain', () => {
    isFull = false
    goOn()
  })
  from.once('end', () => to.end())
  from.once('close', () => clearTimeout(timer))
  wait(owedMs)
  goOn()
}

/** A tunnel between two sockets until either ends or the guest is cut. Counts as one tunnel until both are gone. */
export function spliceTunnel(client: Duplex, target: Duplex, guest: Guest): void {
  const end = () => {
    client.destroy()
    target.destroy()
  }
  const release = registerTunnel(guest, end)
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const) {
    one.once('error', end)
    one.once('close', () => {
      if (other.destroyed) release()
      else hangUp(other, undefined, LEAVING_MS)
    })
  }
  if (client.destroyed || target.destroyed) {
    end()
    return release() // Both may have closed before the listeners were attached
  }
  pump(client, target, { guest, direction: 'up' })
  pump(target, client, { guest, direction: 'down' })
}

/** Registers an open tunnel with its close function. Returns a function that unregisters it. */
export function registerTunnel(guest: Guest, end: () => void): () => void {
  guest.open.add(end)
  guest.moved.tunnels++
  return () => void guest.open.delete(end)
}
