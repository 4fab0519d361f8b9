import type { UpstreamClient } from '../deps.ts'
import { abortExchange, createExchange, failExchange } from './exchange.ts'
import { serializeRequest } from './message.ts'
import type { OriginOptions, RunningExchange, Connection, Origin } from './parts.ts'
import { openConnection } from './connection/connection.ts'

/** The connections to one server, and the exchanges that wait for one. */
interface Pool {
  readonly origin: Origin
  readonly most: number
  readonly all: Set<Connection>
  /** The most recently used connection is reused first, so that a few stay warm. */
  readonly idle: Connection[]
  waiting: RunningExchange[]
  session: Buffer | undefined
}

function createOrigin(address: string, options: OriginOptions): Origin {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`an upstream needs http or https, not ${url.protocol}`)
  const isTls = url.protocol === 'https:'
  const pool: Pool = {
    most: options.connections,
    all: new Set(),
    idle: [],
    waiting: [],
    session: undefined,
    origin: {
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      host: url.host,
      port: Number(url.port) || (isTls ? 443 : 80),
      isTls,
      connectMs: options.connectMs,
      idleMs: options.idleMs,
      ...(options.tls === undefined ? {} : { tls: options.tls }),
      session: () => pool.session,
      remember: (newest) => {
        pool.session = newest
      },
      size: () => pool.all.size,
      place: (exchange) => place(pool, exchange),
      warm: (connections) => warm(pool, connections),
      release: (connection) => release(pool, connection),
      lost: (connection) => removeConnection(pool, connection),
      forget: (exchange) => forget(pool, exchange),
      look: (now) => checkPool(pool, now),
      close: () => close(pool),
    },
  }
  return pool.origin
}

function place(pool: Pool, exchange: RunningExchange): void {
  const { all, idle, most } = pool
  // After a stale connection, only a fresh one is reliable.
  while (!exchange.retried && idle.length > 0) {
    const connection = idle.pop()!
    if (connection.usable()) {
      connection.start(exchange)
      return
    }
    connection.destroy()
  }
  if (exchange.retried && all.size >= most) idle.pop()?.destroy()
  if (all.size < most) all.add(openConnection(pool.origin, exchange))
  else pool.waiting.push(exchange)
}

function warm({ origin, all, most }: Pool, connections: number): void {
  while (all.size < Math.min(connections, most)) all.add(openConnection(origin, undefined))
}

function release(pool: Pool, connection: Connection): void {
  pool.idle.push(connection)
  serveNext(pool)
}

function removeConnection(pool: Pool, connection: Connection): void {
  pool.all.delete(connection)
  const at = pool.idle.indexOf(connection)
  if (at >= 0) pool.idle.splice(at, 1)
  serveNext(pool)
}

function serveNext(pool: Pool): void {
  if (pool.waiting.length === 0 || (pool.idle.length === 0 && pool.all.size >= pool.most)) return
  place(pool, pool.waiting.shift()!)
}

function forget(pool: Pool, exchange: RunningExchange): void {
  pool.waiting = pool.waiting.filter((one) => one !== exchange)
}

function checkPool(pool: Pool, now: number): void {
  for (const connection of pool.all) connection.look(now)
  for (const exchange of pool.waiting.slice()) {
    if (now - exchange.since < exchange.timeoutMs) continue
    forget(pool, exchange)
    failExchange(exchange, new Error('no free connection to the upstream in time'), true)
  }
}

function close(pool: Pool): void {
  for (const exchange of pool.waiting.splice(0)) failExchange(exchange, new Error('the client was closed'))
  for (const connection of pool.all) connection.close()
}

/** Pool of connections to one origin. */
interface PooledOrigin {
  /** Checks the timeouts of all its connections. */
  look(now: number): void
  /** Number of open connections. */
  size(): number
  close(): void
}

interface OriginPool<O extends PooledOrigin> {
  /** Opened on first use. */
  of(address: string): O
  /** Ensures that timeouts are checked often enough for a wait of this many milliseconds. */
  wake(timeoutMs: number): void
  isClosed(): boolean
  close(): void
}

/**
 * Origins by address, and one timer for all of their connections; no timer without connections. `lookMs`: maximum interval between checks.
 */
function createOriginPool<O extends PooledOrigin>(open: (address: string) => O, lookMs: number): OriginPool<O> {
  const origins = new Map<string, O>()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let every = Infinity

  const tick = (): void => {
    const now = Date.now()
    let size = 0
    for (const origin of origins.values()) {
      origin.look(now)
      size += origin.size()
    }
    if (size > 0) return
    clearInterval(timer)
    timer = undefined
    every = Infinity
  }

  return {
    of(address) {
      let origin = origins.get(address)
      if (origin === undefined) origins.set(address, (origin = open(address)))
      return origin
    },
    wake(timeoutMs) {
      const wanted = Math.max(10, Math.min(lookMs, timeoutMs / 4))
      if (timer !== undefined && wanted >= every) return
      clearInterval(timer)
      every = wanted
      timer = setInterval(tick, every).unref()
    },
    isClosed: () => closed,
    close() {
      closed = true
      clearInterval(timer)
      for (const origin of origins.values()) origin.close()
    },
  }
}

const DEFAULTS: OriginOptions = { connections: 256, connectMs: 10_000, idleMs: 60_000 }
const CHECK_INTERVAL_MS = 500

/**
 * HTTP/1.1 client for upstreams, made for many small streams: one read is one call of the handler, regardless of the number of chunks in it
 * (docs/decisions/upstream-client.md). No redirects, no cookies, no pipelining.
 */
export function createUpstreamClient(given: Partial<OriginOptions> = {}): UpstreamClient {
  const options = { ...DEFAULTS, ...given }
  const origins = createOriginPool((address) => createOrigin(address, options), Math.min(CHECK_INTERVAL_MS, options.connectMs / 4, options.idleMs / 4))

  return {
    send(request, handler) {
      if (origins.isClosed()) throw new Error('the upstream client is closed')
      const origin = origins.of(request.origin)
      const exchange = createExchange(origin, handler, request, serializeRequest(request, origin.host))
      origins.wake(Math.min(request.timeoutMs, request.waitMs ?? Infinity, request.betweenMs ?? Infinity))
      origin.place(exchange)
      return exchange
    },
    abort: (exchange) => abortExchange(exchange as RunningExchange),
    pause: (exchange) => (exchange as RunningExchange).connection?.pause(),
    resume: (exchange) => (exchange as RunningExchange).connection?.resume(),
    warm(address, connections) {
      if (origins.isClosed()) return
      origins.wake(Infinity)
      origins.of(address).warm(connections)
    },
    close: async () => origins.close(),
  }
}
