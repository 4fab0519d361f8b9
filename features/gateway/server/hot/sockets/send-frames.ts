import type { RawData, WebSocket } from 'ws'

/** Bytes that may be queued for a slow reader before the writer has to wait. */
const MAX_BUFFERED_BYTES = 262_144

/** Sends one text frame. Calls `taken` at once while the reader keeps up, else when the frame has left. */
export function sendTextFrame(socket: WebSocket, frame: Buffer, taken?: () => void): void {
  if (socket.readyState !== socket.OPEN) {
    taken?.()
    return
  }
  const { bufferedAmount: waiting } = socket
  if (taken === undefined || waiting + frame.length < MAX_BUFFERED_BYTES) {
    socket.send(frame, { binary: false })
    taken?.()
    return
  }
  socket.send(frame, { binary: false }, () => taken())
}

export function toFrameBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

/** One frame of either kind; a promise where the reader is behind. */
export function sendFrame(socket: WebSocket, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (socket.readyState !== socket.OPEN) return
  const { bufferedAmount: waiting } = socket
  if (waiting + frame.length < MAX_BUFFERED_BYTES) {
    socket.send(frame, { binary: isBinary })
    return
  }
  return new Promise((resolve) => {
    socket.send(frame, { binary: isBinary }, () => resolve())
  })
}
