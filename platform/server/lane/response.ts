import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Characters that a header must not contain: they could start another header or another response. */
const INVALID_HEADER_CHARS = /[^\t\x20-\x7e\x80-\xff]/
export const IDLE_SECONDS = 75

/** A response on the lane: the part of node:http's ServerResponse that a handler needs. It owns the connection until `finish`. */
export class LaneResponse {
  readonly socket: Socket
  headersSent = false
  chunkedEncoding = false
  /** False if the connection ends with this response, as its headers then declare. */
  shouldKeepAlive: boolean
  writableEnded = false
  /** The last byte has been sent to the client. */
  writableFinished = false
  destroyed = false
  private head = ''
  private readonly finish: () => void
  private onClose: (() => void) | undefined

  constructor(socket: Socket, keepAlive: boolean, finish: () => void) {
    this.socket = socket
    this.shouldKeepAlive = keepAlive
    this.finish = finish
  }

  /** Headers as name, value, ... Without a content-length the body is chunked. They leave with the first bytes of the body. */
  writeHead(status: number, headers: readonly string[]): this {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`
    let hasLength = false
    let fields = ''
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!
      const value = headers[i + 1]!
      fields += name
      fields += value
      if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true
      head += `${name}: ${value}\r\n`
    }
    if (INVALID_HEADER_CHARS.test(fields)) throw new TypeError(`Invalid character in a header among ${JSON.stringify(headers.filter((_, i) => i % 2 === 0))}`)
    head += `Date: ${getHttpDate()}\r\n`
    head += this.shouldKeepAlive ? `Connection: keep-alive\r\nKeep-Alive: timeout=${IDLE_SECONDS}\r\n` : 'Connection: close\r\n'
    this.chunkedEncoding = !hasLength && status !== 204 && status !== 304
    this.head = this.chunkedEncoding ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`
    this.headersSent = true
    return this
  }

  flushHeaders(): void {
    if (this.head === '') return
    this.send(this.head, 'latin1')
    this.head = ''
  }

  /** Returns false if the caller should wait for `drain`. */
  write(chunk: Buffer): boolean {
    if (this.writableEnded || chunk.length === 0) return true
    this.socket.cork()
    this.flushHeaders()
    if (this.chunkedEncoding) this.send(`${chunk.length.toString(16)}\r\n`, 'latin1')
    let goOn = this.send(chunk)
    if (this.chunkedEncoding) goOn = this.send('\r\n', 'latin1')
    this.socket.uncork()
    return goOn
  }

  /** Sends the last of the body; text is UTF-8 unless `encoding` is `latin1`. */
  end(body?: Buffer | string, encoding?: 'latin1'): void {
    if (this.writableEnded) return
    this.writableEnded = true
    const { socket, head } = this
    if (socket.destroyed || socket.writableEnded) return
    const done = (error?: Error | null): void => {
      if (error) return
      this.writableFinished = true
      this.finish()
    }
    this.head = ''
    if (this.chunkedEncoding) {
      const bytes = body === undefined ? undefined : typeof body === 'string' ? Buffer.from(body, encoding) : body
      socket.cork()
      if (head !== '') socket.write(head, 'latin1')
      if (bytes !== undefined && bytes.length > 0) {
        socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
        socket.write(bytes)
        socket.write('\r\n', 'latin1')
      }
      socket.write('0\r\n\r\n', 'latin1', done)
      socket.uncork()
    } else if (encoding === 'latin1' && typeof body === 'string') socket.write(head + body, 'latin1', done)
    else if (body !== undefined && body.length > 0) {
      socket.cork()
      if (head !== '') socket.write(head, 'latin1')
      socket.write(body, done)
      socket.uncork()
    } else if (head !== '' || socket.writableLength > 0) socket.write(head, 'latin1', done)
    else process.nextTick(done)
  }

  destroy(): void {
    this.destroyed = true
    this.socket.destroy()
  }

  on(_event: 'close', listener: () => void): this {
    this.onClose = listener
    return this
  }

  once(_event: 'drain', listener: () => void): this {
    this.socket.once('drain', listener)
    return this
  }

  /** Ends the response: all of it was sent, or the connection is gone. */
  close(): void {
    const { onClose } = this
    this.onClose = undefined
    onClose?.()
  }

  private send(data: Buffer | string, encoding?: 'latin1'): boolean {
    if (this.socket.destroyed || this.socket.writableEnded) return true
    return encoding === undefined ? this.socket.write(data) : this.socket.write(data, encoding)
  }
}

let cachedDate = ''
let dateUntil = 0

function getHttpDate(): string {
  const now = Date.now()
  if (now >= dateUntil) {
    cachedDate = new Date(now).toUTCString()
    dateUntil = now - (now % 1000) + 1000
  }
  return cachedDate
}
