import type { RawData, WebSocket } from 'ws'
import { toFrameBuffer } from './send-frames.ts'

/** Frames that may be queued while one is being processed; beyond this the sender's socket is paused. */
const MAX_WAITING_FRAMES = 8
const MAX_WAITING_BYTES = 1024 * 1024

export interface Pipe {
  /** Queues the next frame. */
  feed(data: RawData, isBinary: boolean): void
  /** Runs work once all earlier frames are processed. */
  inTurn(work: () => void | Promise<void>): void
}

/**
 * One direction of a session: processes frames in order, however long one takes (setting money aside, writing a row, a slow reader on the
 * other side). The queue is bounded: the sender is paused while it is full.
 */
export function openPipe(from: WebSocket, take: (frame: Buffer, isBinary: boolean) => void | Promise<void>, failed: (error: unknown) => void): Pipe {
  let waiting: ([Buffer, boolean] | (() => void | Promise<void>))[] = []
  let bytes = 0
  let busy = false
  let paused = false
  let ended = false
  const run = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (typeof next !== 'function') bytes -= next[0].length
      if (paused && waiting.length === 0) {
        paused = false
        from.resume()
      }
      const work = typeof next === 'function' ? next() : take(...next)
      if (work !== undefined) await work
    }
    busy = false
  }
  /** After a frame that cannot be processed, later frames are dropped; queued work still runs. */
  const fail = (error: unknown): void => {
    waiting = waiting.filter((next) => typeof next === 'function')
    ended = true
    busy = false
    failed(error)
    if (waiting.length > 0) start()
  }
  const start = (): void => {
    if (busy) return
    busy = true
    run().catch(fail)
  }
  return {
    feed(data, isBinary) {
      if (ended) return
      const frame = toFrameBuffer(data)
      waiting.push([frame, isBinary])
      bytes += frame.length
      if ((waiting.length > MAX_WAITING_FRAMES || (busy && bytes > MAX_WAITING_BYTES)) && !paused && from.readyState === from.OPEN) {
        paused = true
        from.pause()
      }
      start()
    },
    inTurn(work) {
      waiting.push(work)
      start()
    },
  }
}
