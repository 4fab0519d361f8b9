import { openConnection } from './connection/connection.ts'
import { failExchange } from './exchange.ts'
import type { Connection, Origin, OriginOptions, RunningExchange } from './parts.ts'

/** The connections to one server, and who waits for one. */
interface Pool {
  readonly origin: Origin
  readonly most: number
  readonly all: Set<Connection>
  /** The last one used is the first to be used again, so that a few stay warm. */
  readonly idle: Connection[]
  waiting: RunningExchange[]
  session: Buffer | undefined
}

export function createOrigin(address: string, options: OriginOptions): Origin {
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
  // After a stale connection a fresh one is sure.
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
