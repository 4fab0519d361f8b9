import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const LOOPBACK = '127.0.0.1'

export interface PrivateReceiver {
  readonly port: number
  /** Connections so far, whatever they sent. */
  connections(): number
  close(): Promise<void>
}

/** Starts a receiver on the loopback address, and resolves `name` to that address in this process; other names resolve as usual. */
export async function startPrivateReceiver(name: string): Promise<PrivateReceiver> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((done) => server.listen(0, LOOPBACK, done))
  const systemLookup = dns.lookup
  const lookup = (hostname: string, ...rest: unknown[]): void => {
    if (hostname !== name) return (systemLookup as (...given: unknown[]) => void)(hostname, ...rest)
    const done = rest.at(-1) as (error: null, ...answer: unknown[]) => void
    const isAll = (rest[0] as { all?: boolean }).all
    setImmediate(() => (isAll ? done(null, [{ address: LOOPBACK, family: 4 }]) : done(null, LOOPBACK, 4)))
  }
  const replaceLookup = (by: unknown): void => {
    Object.assign(dns, { lookup: by })
    syncBuiltinESMExports()
  }
  replaceLookup(Object.assign(lookup, systemLookup))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      replaceLookup(systemLookup)
      await new Promise((done) => server.close(done))
    },
  }
}
