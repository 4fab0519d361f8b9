import { hostname, networkInterfaces } from 'node:os'
import type { PlatformConfig } from '../config.ts'

/** The parts of a request that give the address in the browser. */
export interface RequestAddress {
  readonly protocol: string
  /** Host and port. */
  readonly host: string | undefined
}

/** Base URLs of the pages. */
export interface Origins {
  /** For texts created outside a request: mails, jobs, errors of the model API. */
  stored(): string
  /** For one request: its own address if that is known to be this server, else the stored one. */
  of(asked: RequestAddress): string
}

type Settings = Pick<PlatformConfig, 'PUBLIC_URL' | 'STAGE'>

/**
 * A configured PUBLIC_URL always wins. Without one, and only in development, a request's own host counts if it names this machine: links, payment
 * pages and snippets then stay where the browser is signed in. Any other Host header can be forged and would end up in mails, so it is ignored.
 * `stored` follows the last accepted request.
 */
export function createOrigins({ PUBLIC_URL, STAGE }: Settings, portNow: () => number): Origins {
  const fixed = PUBLIC_URL?.replace(/\/$/, '')
  let last: string | undefined
  const stored = () => fixed ?? last ?? `http://localhost:${portNow()}`
  return {
    stored,
    of: ({ protocol, host = '' }) => {
      if (fixed !== undefined || STAGE !== 'development') return stored()
      const name = HOST.exec(host)?.[1]?.toLowerCase()
      if (!name || !isThisMachine(name)) return stored()
      const url = new URL(`${protocol === 'https' ? 'https' : 'http'}://${host}`)
      // Another port belongs to a proxy in front of this server, so it is valid for this browser only.
      if (url.port === String(portNow())) last = url.origin
      return url.origin
    },
  }
}

/** A plain host name or IP address with an optional port, which every URL parser reads the same way. */
const HOST = /^([a-z\d.-]+|\[[a-f\d:]+\])(?::\d{1,5})?$/i
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

function isThisMachine(name: string): boolean {
  const own = hostname().toLowerCase()
  if ([...LOOPBACK, own, `${own}.local`].includes(name)) return true
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return addresses.some(({ address, family }) => name === (family === 'IPv6' ? `[${address}]` : address))
}
