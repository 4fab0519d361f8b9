import { connect, isIP } from 'node:net'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RunningExchange } from './exchange.ts'
import type { ResponseHead } from './message.ts'
import type { Origin } from './origin.ts'
import { ResponseReader } from './reader.ts'
import type { ReaderSink } from './reader.ts'

/** One for all connections: what is read is copied before anything else can be read (so on POSIX systems; not on Windows). */
const SHARED = Buffer.allocUnsafeSlow(65_536)

/** A kept connection that fails this soon after a request, without a byte, was closed by the server while we wrote. */
const STALE_MS = 1_000

/** A connection to an origin, with one exchange on it at a time. */
export class Connection implements ReaderSink {
  readonly #origin: Origin
  readonly #socket: Socket
  readonly #reader = new ResponseReader(this)
  readonly #openedAt = Date.now()
  #open = false
  #gone = false
  #paused = false
  #exchange: RunningExchange | undefined
  #served = 0
  #keepMs = 0
  /** Head or body bytes of the running exchange were seen. */
  #answered = false
  /** Request bytes not yet taken by the system, when last looked at. */
  #unsent = 0
  #sentAt = 0
  idleUntil = 0

  constructor(origin: Origin, first: RunningExchange) {
    this.#origin = origin
    this.#exchange = first
    first.connection = this
    const buffer = process.platform === 'win32' ? Buffer.allocUnsafeSlow(SHARED.length) : SHARED
    const options: TcpNetConnectOpts = {
      host: origin.hostname, port: origin.port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000,
      onread: { buffer, callback: (bytes) => this.#read(buffer, bytes) },
    }
    this.#socket = origin.isTls
      ? connectTls({ ...options, ...origin.tls, ...(isIP(origin.hostname) === 0 ? { servername: origin.hostname } : {}), ALPNProtocols: ['http/1.1'], ...(origin.session === undefined ? {} : { session: origin.session }) })
      : connect(options)
    this.#socket.once(origin.isTls ? 'secureConnect' : 'connect', () => this.#opened())
    this.#socket.on('session', (session: Buffer) => { origin.session = session })
    this.#socket.on('error', (error: Error) => this.#lost(error))
    this.#socket.on('end', () => this.#ended())
    this.#socket.on('close', () => this.#lost(new Error('the connection was closed')))
  }

  get usable(): boolean {
    return !this.#gone && Date.now() < this.idleUntil
  }

  start(exchange: RunningExchange): void {
    this.#exchange = exchange
    exchange.connection = this
    this.#socket.ref()
    this.#write(exchange)
  }

  pause(): void {
    if (this.#paused || this.#gone) return
    this.#paused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#paused || this.#gone) return
    this.#paused = false
    this.#exchange!.since = Date.now()
    this.#socket.resume()
  }

  /** Ends it without a word to the exchange. */
  destroy(): void {
    this.#exchange = undefined
    this.#lost(undefined)
  }

  close(): void {
    const exchange = this.#exchange
    this.destroy()
    exchange?.fail(new Error('the client was closed'))
  }

  /** Looks at the clock: connecting, waiting for bytes, idle. */
  look(now: number): void {
    const exchange = this.#exchange
    if (exchange === undefined) {
      if (now >= this.idleUntil) this.destroy()
    } else if (!this.#open) {
      if (now - this.#openedAt >= this.#origin.connectMs) this.#lost(new Error(`no connection to ${this.#origin.hostname} in time`))
    } else if (this.#paused) exchange.since = now
    else if (now - exchange.since >= exchange.timeoutMs) {
      const unsent = this.#socket.writableLength
      if (unsent > 0 && unsent !== this.#unsent) {
        // A large body on its way is no silence.
        this.#unsent = unsent
        exchange.since = now
        return
      }
      this.destroy()
      exchange.fail(new Error(this.#answered ? 'the upstream fell silent in its answer' : 'the upstream sent no answer in time'), true)
    }
  }

  onHead(head: ResponseHead): void {
    const hint = head.keepAliveSeconds
    this.#keepMs = !head.keepAlive ? 0 : hint === undefined ? this.#origin.idleMs : Math.min(this.#origin.idleMs, hint * 1_000 - 1_000)
    this.#exchange!.bytes = []
    this.#exchange!.handler.onHead(head.status, head.headers)
  }

  onData(data: Buffer): void {
    this.#exchange!.handler.onData(data)
  }

  onEnd(reusable: boolean): void {
    const exchange = this.#exchange!
    this.#exchange = undefined
    exchange.connection = undefined
    exchange.over = true
    this.#served++
    // An answer before the request's end: the rest of it would be taken for the next one.
    if (!reusable || this.#keepMs <= 0 || this.#socket.writableLength > 0) this.#lost(undefined)
    else {
      if (this.#paused) {
        this.#paused = false
        this.#socket.resume()
      }
      this.idleUntil = Date.now() + this.#keepMs
      this.#socket.unref()
      this.#origin.release(this)
    }
    exchange.handler.onEnd()
  }

  #opened(): void {
    this.#open = true
    if (this.#exchange !== undefined) this.#write(this.#exchange)
  }

  #write(exchange: RunningExchange): void {
    const [first, second] = exchange.bytes
    this.#answered = false
    this.#unsent = 0
    this.#sentAt = Date.now()
    exchange.since = this.#sentAt
    this.#reader.expect()
    if (second !== undefined) this.#socket.cork()
    this.#socket.write(first!)
    if (second === undefined) return
    this.#socket.write(second)
    this.#socket.uncork()
  }

  #read(buffer: Buffer, bytes: number): boolean {
    if (this.#gone) return false
    const exchange = this.#exchange
    if (exchange !== undefined) {
      this.#answered = true
      exchange.since = Date.now()
    }
    const problem = this.#reader.feed(buffer, bytes)
    if (problem !== undefined) this.#lost(new Error(`not HTTP: ${problem}`))
    return !this.#paused && !this.#gone
  }

  #ended(): void {
    if (this.#gone) return
    if (this.#exchange === undefined || !this.#reader.eof()) this.#lost(new Error('the upstream closed the connection'))
  }

  /** The connection is over; what runs on it fails, or is sent once more where only the connection was stale. */
  #lost(error: Error | undefined): void {
    if (this.#gone) return
    this.#gone = true
    const exchange = this.#exchange
    this.#exchange = undefined
    this.#reader.stop()
    this.#socket.destroy()
    this.#origin.lost(this)
    if (exchange === undefined || exchange.over) return
    exchange.connection = undefined
    const isStale = this.#served > 0 && !this.#answered && !exchange.retried && Date.now() - this.#sentAt < STALE_MS
    if (isStale) {
      exchange.retried = true
      this.#origin.place(exchange)
    } else exchange.fail(error ?? new Error('the connection was closed'))
  }
}
