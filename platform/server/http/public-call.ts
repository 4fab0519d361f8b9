import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/** Networks that are not on the public internet: private, loopback, cloud metadata, documentation, multicast (IANA special-purpose registries). */
const PRIVATE_NETWORKS = new BlockList()
for (const net of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's host (DNS, health, credentials), public by IANA's registries
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
  PRIVATE_NETWORKS.addSubnet(net.split('/')[0]!, Number(net.split('/')[1]), 'ipv4')
/** Everything that is not global unicast, and ranges within it that lead elsewhere: Teredo, documentation, 6to4, benchmarks. */
const OUTSIDE_V6 = new BlockList()
OUTSIDE_V6.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE_NETWORKS.addSubnet(net, bits, 'ipv6')

/** True for an address of the public internet. IPv4 embedded in IPv6 (`::ffff:`, NAT64) counts as not public. */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !PRIVATE_NETWORKS.check(address, 'ipv4')
  return kind === 6 && OUTSIDE_V6.check(address, 'ipv6') && !PRIVATE_NETWORKS.check(address, 'ipv6')
}

export interface PublicCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Timeout for the whole request. */
  readonly deadlineMs: number
}

/** Resolves to the status. Rejects with a generic message; the response body is never read. */
export type PublicSend = (call: PublicCall) => Promise<number>

/**
 * POSTs to an address that a user entered. Resolves the name once, requires every address of it to be public and connects to a checked
 * address, so that DNS rebinding has no effect. Does not follow redirects.
 */
export function createPublicSend(isAllowed: (address: string) => boolean = isPublicAddress): PublicSend {
  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { all: true, family: options.family ?? 0 }, (error, found: LookupAddress[]) => {
      if (error) return done(new Error('the name could not be resolved'), [])
      if (!found.length || !found.every(({ address }) => isAllowed(address))) return done(new Error('the address is not public'), [])
      if (options.all) done(null, found)
      else done(null, found[0]!.address, found[0]!.family)
    })
  }
  return ({ url, headers, body, deadlineMs }) =>
    new Promise<number>((answer, refuse) => {
      const { protocol, hostname } = new URL(url)
      const literal = hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) && !isAllowed(literal)) return refuse(new Error('the address is not public'))
      const over = AbortSignal.timeout(deadlineMs)
      const send = protocol === 'https:' ? secureRequest : plainRequest
      const request = send(
        url,
        {
          method: 'POST',
          lookup,
          agent: false,
          signal: over,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'connection': 'close' },
        },
        (reply) => {
          answer(reply.statusCode ?? 0)
          reply.destroy()
        },
      )
      request.on('error', (error: NodeJS.ErrnoException) => {
        const known = error.message.startsWith('the ') ? error.message : `the connection failed (${error.code ?? error.name})`
        refuse(new Error(over.aborted ? `no answer within ${deadlineMs / 1000} s` : known))
      })
      request.end(body)
    })
}
