import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { resizeRoom } from '../body/memory.ts'
import type { BodyMemory, BodyMemoryOwner } from '../body/memory.ts'
import type { ApiKey } from '../deps.ts'

/** Uncounted bytes of a frame: at least the remainder that one socket read may leave behind a complete frame, plus the next read. */
const UNCOUNTED_FRAME_BYTES = 2 * 65_536
/** Overhead of a client frame: four bytes of mask, at least two of header. */
const HEAD_BYTES = 6
/** Time from the close frame to termination, in ms. The socket is not read meanwhile. */
const TERMINATE_AFTER_MS = 1_000

/** Body memory used by the frames of one socket. */
export interface FrameRoom {
  /** Reserves memory for complete waiting frames, in total bytes; returns false and changes nothing if there is none. */
  wait(bytes: number): boolean
}

/**
 * Accounts for frames while `ws` assembles them, which reports only complete ones. Incoming bytes count as they arrive, headers
 * included, with the memory and time limits of an HTTP body. A socket over the limit is closed.
 */
export function openRoom(socket: WebSocket, bytes: Duplex, memory: { readonly bodies: BodyMemory; readonly key: ApiKey; readonly bodyMs: number }): FrameRoom {
  const sender: BodyMemoryOwner = { bodies: memory.bodies, apiKey: memory.key, bodyRoom: 0 }
  /** Upper bound of bytes received for an incomplete frame. */
  let partial = 0
  let lastPiece = 0
  let waiting = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const fit = (): boolean => resizeRoom(sender, waiting + (partial > UNCOUNTED_FRAME_BYTES ? partial : 0)) === undefined
  const giveUp = (code: number, reason: string): void => {
    isOver = true
    socket.close(code, reason)
    socket.pause()
    setTimeout(() => socket.terminate(), TERMINATE_AFTER_MS).unref()
  }
  const late = (): void => {
    // A socket that we do not read cannot send more.
    if (socket.isPaused) timer = setTimeout(late, memory.bodyMs).unref()
    else giveUp(1008, 'A frame took too long to arrive.')
  }
  // Runs before `ws` sees the bytes; complete frames are subtracted later.
  bytes.prependListener('data', (piece: Buffer) => {
    if (isOver) return socket.terminate()
    partial += piece.length
    lastPiece = piece.length
    if (partial <= UNCOUNTED_FRAME_BYTES) return
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
    resizeRoom(sender, 0)
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
