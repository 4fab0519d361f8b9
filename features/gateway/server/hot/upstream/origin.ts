import type { ConnectionOptions } from 'node:tls'
import { Connection } from './connection.ts'
import type { RunningExchange } from './exchange.ts'

export interface OriginOptions {
  /** Connections open at a time; further requests wait for one. */
  readonly connections: number
  readonly connectMs: number
  /** An idle connection is kept for this long, less where its server says so. */
  readonly idleMs: number
  /** For certificates of one's own. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** The connections to one server. */
export class Origin {
  readonly hostname: string
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly connectMs: number
  readonly idleMs: number
  readonly tls: Pick<ConnectionOptions, 'ca'>
  /** The newest TLS session, so that further connections need no full handshake. */
  session: Buffer | undefined = undefined
  readonly #most: number
  readonly #all = new Set<Connection>()
  /** The last one used is the first to be used again, so that a few stay warm. */
  readonly #idle: Connection[] = []
  #waiting: RunningExchange[] = []

  constructor(origin: string, options: OriginOptions) {
    const url = new URL(origin)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`an upstream needs http or https, not ${url.protocol}`)
    this.isTls = url.protocol === 'https:'
    this.hostname = url.hostname.replace(/^\[|\]$/g, '')
    this.host = url.host
    this.port = Number(url.port) || (this.isTls ? 443 : 80)
    this.connectMs = options.connectMs
    this.idleMs = options.idleMs
    this.tls = options.tls ?? {}
    this.#most = options.connections
  }

  get size(): number {
    return this.#all.size
  }

  place(exchange: RunningExchange): void {
    // After a stale connection a fresh one is sure.
    while (!exchange.retried && this.#idle.length > 0) {
      const connection = this.#idle.pop()!
      if (connection.usable) {
        connection.start(exchange)
        return
      }
      connection.destroy()
    }
    if (exchange.retried && this.#all.size >= this.#most) this.#idle.pop()?.destroy()
    if (this.#all.size < this.#most) this.#all.add(new Connection(this, exchange))
    else this.#waiting.push(exchange)
  }

  release(connection: Connection): void {
    this.#idle.push(connection)
    this.#next()
  }

  lost(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#next()
  }

  /** Takes back one that still waits. */
  forget(exchange: RunningExchange): void {
    this.#waiting = this.#waiting.filter((one) => one !== exchange)
  }

  look(now: number): void {
    for (const connection of this.#all) connection.look(now)
    for (const exchange of this.#waiting.slice()) {
      if (now - exchange.since < exchange.timeoutMs) continue
      this.forget(exchange)
      exchange.fail(new Error('no free connection to the upstream in time'), true)
    }
  }

  close(): void {
    for (const exchange of this.#waiting.splice(0)) exchange.fail(new Error('the client was closed'))
    for (const connection of this.#all) connection.close()
  }

  #next(): void {
    if (this.#waiting.length === 0 || (this.#idle.length === 0 && this.#all.size >= this.#most)) return
    this.place(this.#waiting.shift()!)
  }
}
