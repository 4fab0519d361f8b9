import type { Socket } from 'node:net'
import type { RequestHead } from './read-head.ts'

/** Maximum unread bytes of a body that are buffered before the socket is paused. */
const MAX_BUFFERED_BYTES = 262_144

/** A request on the lane: the part of node:http's IncomingMessage that a handler needs. */
export class LaneRequest {
  readonly method: string
  readonly url: string
  readonly rawHeaders: string[]
  readonly socket: Socket
  /** The whole body has arrived. */
  complete: boolean
  private left: number
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private ignored = false
  private halted = false
  private onData: ((chunk: Buffer) => void) | undefined
  private onEnd: (() => void) | undefined
  private onClose: (() => void) | undefined

  constructor(socket: Socket, head: RequestHead) {
    this.socket = socket
    this.method = head.method
    this.url = head.url
    this.rawHeaders = head.rawHeaders
    this.left = head.contentLength
    this.complete = head.contentLength === 0
  }

  /** By lower-case name; repeated ones are joined with a comma. */
  get headers(): Record<string, string | undefined> {
    const headers: Record<string, string | undefined> = Object.create(null)
    for (let i = 0; i < this.rawHeaders.length; i += 2) {
      const name = this.rawHeaders[i]!.toLowerCase()
      const before = headers[name]
      headers[name] = before === undefined ? this.rawHeaders[i + 1] : `${before}, ${this.rawHeaders[i + 1]}`
    }
    return headers
  }

  /** One listener per event; buffered data is delivered at once. */
  on(event: 'data' | 'end' | 'close', listener: (chunk: Buffer) => void): this {
    if (event === 'close') this.onClose = listener as () => void
    else if (event === 'data') {
      this.onData = listener
      this.release(listener)
    } else {
      this.onEnd = listener as () => void
      if (this.complete && this.waiting.length === 0) this.onEnd()
    }
    return this
  }

  /** Stops reading the body. */
  pause(): this {
    if (!this.complete && !this.halted) {
      this.halted = true
      this.socket.pause()
    }
    return this
  }

  /** Resumes reading the body; discards it if there is no `data` listener. */
  resume(): this {
    if (this.onData === undefined) {
      this.ignored = true
      this.release(() => undefined)
    }
    if (this.halted) {
      this.halted = false
      this.socket.resume()
    }
    return this
  }

  /** Consumes this request's part of `data` and returns its length in bytes. */
  take(data: Buffer): number {
    const bytes = Math.min(this.left, data.length)
    if (bytes === 0) return 0
    const chunk = bytes === data.length ? data : data.subarray(0, bytes)
    this.left -= bytes
    this.complete = this.left === 0
    if (!this.ignored && this.onData === undefined) {
      this.waiting.push(chunk)
      this.waitingBytes += bytes
      if (this.waitingBytes > MAX_BUFFERED_BYTES) this.socket.pause()
      return bytes
    }
    if (!this.ignored) this.onData!(chunk)
    if (this.complete) this.onEnd?.()
    return bytes
  }

  /** Reports that the connection closed before the body was complete. */
  cut(): void {
    if (!this.complete) this.onClose?.()
  }

  private release(to: (chunk: Buffer) => void): void {
    const { waiting } = this
    this.waiting = []
    if (this.waitingBytes > MAX_BUFFERED_BYTES) this.socket.resume()
    this.waitingBytes = 0
    for (const chunk of waiting) to(chunk)
  }
}
