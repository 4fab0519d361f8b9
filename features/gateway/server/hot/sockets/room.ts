import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { fitRoom } from '../body/memory.ts'
import type { BodyMemory, Sender } from '../body/memory.ts'
import type { ApiKey } from '../deps.ts'

/** What of a frame costs next to nothing: no less than what one read of a socket may leave behind a whole frame, and the next one brings. */
const SMALL_BYTES = 2 * 65_536
/** A frame of a client: four bytes of mask, two or more of head. */
const HEAD_BYTES = 6
/** How long a socket that was told goodbye is waited for. It is not read meanwhile. */
const GOODBYE_MS = 1_000

/** What the frames of one socket take of the memory for bodies. */
export interface FrameRoom {
  /** Takes room for whole frames that wait, so many bytes in all; false, and nothing changed, where there is none. */
  wait(bytes: number): boolean
}

/**
 * A frame is gathered by `ws`, which tells of it when it is whole. So its bytes are counted as they come, heads included, and it takes room, and has
 * its time, as a body of HTTP has. A socket for which there is none is closed.
 */
export function openRoom(socket: WebSocket, bytes: Duplex, memory: { readonly bodies: BodyMemory; readonly key: ApiKey; readonly bodyMs: number }): FrameRoom {
  const sender: Sender = { bodies: memory.bodies, apiKey: memory.key, bodyRoom: 0 }
  /** What came and is no whole frame yet: never too little. */
  let partial = 0
  let lastPiece = 0
  let waiting = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const fit = (): boolean => fitRoom(sender, waiting + (partial > SMALL_BYTES ? partial : 0)) === undefined
  const giveUp = (code: number, reason: string): void => {
    isOver = true
    socket.close(code, reason)
    socket.pause()
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
  }
  const late = (): void => {
    // Who is not read cannot go on.
    if (socket.isPaused) timer = setTimeout(late, memory.bodyMs).unref()
    else giveUp(1008, 'A frame took too long to arrive.')
  }
  // Before `ws` sees it: what is whole is taken off again.
  bytes.prependListener('data', (piece: Buffer) => {
    if (isOver) return socket.terminate()
    partial += piece.length
    lastPiece = piece.length
    if (partial <= SMALL_BYTES) return
    timer ??= setTimeout(late, memory.bodyMs).unref()
    if (!fit()) giveUp(1013, 'Too many large frames are under way. Try again shortly.')
  })
  socket.on('message', (frame: Buffer) => {
    partial = Math.min(Math.max(0, partial - frame.length), lastPiece)
    clearTimeout(timer)
    timer = undefined
    fit()
  })
  const control = (data: Buffer): void => {
    partial = Math.max(0, partial - data.length - HEAD_BYTES)
  }
  socket.on('ping', control)
  socket.on('pong', control)
  socket.on('close', () => {
    isOver = true
    clearTimeout(timer)
    fitRoom(sender, 0)
  })
  return {
    wait(wanted) {
      if (isOver) return false
      const before = waiting
      waiting = wanted
      if (fit()) return true
      waiting = before
      return false
    },
  }
}
