import { hostname, networkInterfaces } from 'node:os'
import type { PlatformConfig } from '../config.ts'

/** The parts of a request that say where a browser believes it is. */
export interface Asked {
  readonly protocol: string
  /** Host and port. */
  readonly host: string | undefined
}

/** Where people reach the pages. */
export interface Origins {
  /** For what is written without a request: mails, jobs, errors of the model API. */
  stored(): string
  /** For one request: its own address where that is known to be ours, else the stored one. */
  of(asked: Asked): string
}

type Settings = Pick<PlatformConfig, 'PUBLIC_URL' | 'STAGE'>

/**
 * A configured PUBLIC_URL is the only answer. Without one, and in development alone, a request's own host counts when it
 * names this machine: links, payment pages and snippets then stay where the browser is signed in. Any other Host header
 * could be anybody's, and mails would carry it, so it changes nothing. What is stored follows the last such request.
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
      // another port is a proxy's in front of this server: right for this browser, and perhaps for nobody else
      if (url.port === String(portNow())) last = url.origin
      return url.origin
    },
  }
}

/** A name or an address as it is written in full, and a port: nothing that a URL parser would read as something else. */
const HOST = /^([a-z\d.-]+|\[[a-f\d:]+\])(?::\d{1,5})?$/i
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

function isThisMachine(name: string): boolean {
  const own = hostname().toLowerCase()
  if ([...LOOPBACK, own, `${own}.local`].includes(name)) return true
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return addresses.some(({ address, family }) => name === (family === 'IPv6' ? `[${address}]` : address))
}
