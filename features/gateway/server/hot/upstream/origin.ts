import { openConnection } from './connection.ts'
import { fail } from './exchange.ts'
import type { Connection, Origin, OriginOptions, RunningExchange } from './parts.ts'

export function createOrigin(address: string, options: OriginOptions): Origin {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`an upstream needs http or https, not ${url.protocol}`)
  const isTls = url.protocol === 'https:'
  const most = options.connections
  const all = new Set<Connection>()
  /** The last one used is the first to be used again, so that a few stay warm. */
  const idle: Connection[] = []
  let waiting: RunningExchange[] = []
  let session: Buffer | undefined

  const self: Origin = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    host: url.host,
    port: Number(url.port) || (isTls ? 443 : 80),
    isTls,
    connectMs: options.connectMs,
    idleMs: options.idleMs,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    session: () => session,
    remember: (newest) => {
      session = newest
    },
    size: () => all.size,
    place,
    warm: (connections) => {
      while (all.size < Math.min(connections, most)) all.add(openConnection(self, undefined))
    },
    release,
    lost,
    forget,
    look,
    close,
  }
  return self

  function place(exchange: RunningExchange): void {
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
    if (all.size < most) all.add(openConnection(self, exchange))
    else waiting.push(exchange)
  }

  function release(connection: Connection): void {
    idle.push(connection)
    next()
  }

  function lost(connection: Connection): void {
    all.delete(connection)
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    next()
  }

  function forget(exchange: RunningExchange): void {
    waiting = waiting.filter((one) => one !== exchange)
  }

  function look(now: number): void {
    for (const connection of all) connection.look(now)
    for (const exchange of waiting.slice()) {
      if (now - exchange.since < exchange.timeoutMs) continue
      forget(exchange)
      fail(exchange, new Error('no free connection to the upstream in time'), true)
    }
  }

  function close(): void {
    for (const exchange of waiting.splice(0)) fail(exchange, new Error('the client was closed'))
    for (const connection of all) connection.close()
  }

  function next(): void {
    if (waiting.length === 0 || (idle.length === 0 && all.size >= most)) return
    place(waiting.shift()!)
  }
}
