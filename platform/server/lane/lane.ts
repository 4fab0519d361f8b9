import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { readRequestHead } from './read-head.ts'
import type { RequestHead } from './read-head.ts'
import { IDLE_SECONDS, LaneResponse } from './response.ts'

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

  /** By lower-case name; repeated headers are joined with a comma. */
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

export interface LaneHandler {
  /** True for requests that are answered on the lane. */
  takes(url: string, rawHeaders: readonly string[]): boolean
  handle(request: LaneRequest, response: LaneResponse): void
}

/** The shutdown handler of each server. */
const closeHandlers = new WeakMap<Server, () => void>()

/** From now on, every response of the server has `connection: close` and ends its connection. */
export function announceClose(server: Server): void {
  closeHandlers.get(server)?.()
  // Prepended before the server's own listener, and only now, so that a running server has no overhead.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
}

/** Timeout for the first byte of a new connection. */
const FIRST_BYTE_MS = 20_000
const CHECK_MS = 5_000
/** Maximum bytes of pipelined requests that are buffered; then the client waits. */
const MAX_PIPELINED_BYTES = 65_536

/**
 * Reads a server's connections directly as long as they carry requests in HTTP's common form that `handler` takes, which saves node:http's
 * cost for streams and events. The first other request hands its connection over to node:http, unmodified and permanently: anything odd,
 * malformed, slow or an upgrade is handled there only.
 */
export function openLane(server: Server, handler: LaneHandler): void {
  const [nodes, ...others] = server.listeners('connection') as Array<(socket: Socket) => void>
  if (nodes === undefined || others.length > 0) throw new Error('node:http does not listen to connections with exactly one listener')
  const open = new Set<Connection>()
  let leaving = false
  const host: Host = {
    handler,
    keepAlive: () => !leaving,
    gone: (connection) => open.delete(connection),
    handOver: (socket) => nodes.call(server, socket),
  }
  server.removeListener('connection', nodes)
  server.on('connection', (socket: Socket) => {
    open.add(new Connection(socket, host))
  })
  const look = setInterval(() => {
    const now = Date.now()
    for (const connection of open) connection.tire(now)
  }, CHECK_MS).unref()
  server.once('close', () => clearInterval(look))

  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    for (const connection of open) connection.tire(Infinity)
  }
  const closeAll = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeAll()
    for (const connection of open) connection.socket.destroy()
  }
  closeHandlers.set(server, () => {
    leaving = true
    for (const connection of open) connection.leave()
  })
}

interface Host {
  readonly handler: LaneHandler
  keepAlive(): boolean
  gone(connection: Connection): void
  handOver(socket: Socket): void
}

class Connection {
  readonly socket: Socket
  private readonly host: Host
  private request: LaneRequest | undefined
  private response: LaneResponse | undefined
  /** Bytes of the next request that arrived before the current one was answered (pipelining). */
  private ahead: Buffer | undefined
  private idleSince = Date.now()
  private isNew = true

  constructor(socket: Socket, host: Host) {
    this.socket = socket
    this.host = host
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('close', this.onClose)
    socket.on('error', ignore)
  }

  /** Closes the connection after its idle timeout. */
  tire(now: number): void {
    if (this.response !== undefined) return
    if (now - this.idleSince > (this.isNew ? FIRST_BYTE_MS : IDLE_SECONDS * 1000 + CHECK_MS)) this.socket.end()
  }

  /** Makes the current response the last: sends `connection: close` if its headers have not left. */
  leave(): void {
    if (this.response?.headersSent === false) this.response.shouldKeepAlive = false
  }

  private readonly onData = (data: Buffer): void => {
    if (this.response === undefined) {
      this.begin(data)
      return
    }
    const taken = this.request!.take(data)
    if (taken === data.length) return
    const rest = taken === 0 ? data : data.subarray(taken)
    if (this.response === undefined) {
      this.begin(rest) // The last bytes of the previous body have just arrived.
      return
    }
    this.ahead = this.ahead === undefined ? rest : Buffer.concat([this.ahead, rest])
    if (this.ahead.length > MAX_PIPELINED_BYTES) this.socket.pause()
  }

  private begin(data: Buffer): void {
    const head = readRequestHead(data)
    if (head === undefined || !this.host.handler.takes(head.url, head.rawHeaders)) {
      this.handOver(data)
      return
    }
    this.isNew = false
    const request = new LaneRequest(this.socket, head)
    const response = new LaneResponse(this.socket, this.host.keepAlive(), this.onFinish)
    this.request = request
    this.response = response
    if (data.length > head.bytes) this.onData(data.subarray(head.bytes))
    this.host.handler.handle(request, response)
  }

  private handOver(data: Buffer): void {
    const { socket } = this
    socket.removeListener('data', this.onData)
    socket.removeListener('end', this.onEnd)
    socket.removeListener('close', this.onClose)
    socket.removeListener('error', ignore)
    this.host.gone(this)
    socket.unshift(data)
    this.host.handOver(socket)
  }

  /** Called when the last byte of the response has been sent. */
  private readonly onFinish = (): void => {
    const request = this.request!
    const response = this.response!
    response.close()
    if (!response.shouldKeepAlive) {
      this.socket.end()
      return
    }
    if (request.complete) this.next()
    else {
      // The unread rest of the body precedes the next request.
      request.resume()
      request.on('end', this.next)
    }
  }

  private readonly next = (): void => {
    const { ahead } = this
    this.request = undefined
    this.response = undefined
    this.ahead = undefined
    this.idleSince = Date.now()
    if (ahead === undefined) return
    if (ahead.length > MAX_PIPELINED_BYTES) this.socket.resume()
    this.begin(ahead)
  }

  /** The client sends nothing more, so for HTTP/1.1 it has disconnected; node:http treats it the same way. */
  private readonly onEnd = (): void => {
    this.socket.end()
  }

  private readonly onClose = (): void => {
    this.host.gone(this)
    const { request, response } = this
    if (response === undefined) return
    response.destroyed = true
    request!.cut()
    response.close()
  }
}

function ignore(): void {}
