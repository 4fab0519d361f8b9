import { BlockList, isIP, isIPv4 } from 'node:net'
import type { ClientRequest } from '../client.ts'

/** Names of networks, as in the platform's TRUST_PROXY. */
const NETWORK_NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Parses the proxies of a comma-separated list of addresses, networks and names. */
export function parseProxies(list: string): BlockList {
  const texts = list.split(',').map((text) => text.trim())
  return createBlockList(texts.filter(Boolean).flatMap((text) => NETWORK_NAMES[text] ?? [text]))
}

const LOOPBACK_PROXIES = parseProxies('loopback')

/** `::ffff:1.2.3.4` is 1.2.3.4 on a dual-stack socket. */
function unmapAddress(address: string): string {
  const text = address.trim()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)
  if (mapped !== null) return mapped[1]!
  const zone = text.indexOf('%')
  return zone < 0 ? text : text.slice(0, zone)
}

/** Addresses and networks in CIDR form, already validated. */
export function createBlockList(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const slash = text.indexOf('/')
    const address = slash < 0 ? text : text.slice(0, slash)
    const type = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (slash < 0) list.addAddress(address, type)
    else list.addSubnet(address, Number(text.slice(slash + 1)), type)
  }
  return list
}

export function isInBlockList(list: BlockList, address: string): boolean {
  const kind = isIP(address)
  return kind !== 0 && list.check(address, kind === 4 ? 'ipv4' : 'ipv6')
}

/**
 * IP address of the client: that of the socket or, behind a trusted proxy, the last address in `x-forwarded-for` that is not ours.
 * Earlier entries are written by the client and prove nothing.
 */
export function resolveClientAddress(req: Pick<ClientRequest, 'headers' | 'socket'>, trusted: BlockList = LOOPBACK_PROXIES): string {
  let address = unmapAddress(req.socket?.remoteAddress ?? '')
  const header = req.headers['x-forwarded-for']
  if (header === undefined || !isInBlockList(trusted, address)) return address
  const hops = (Array.isArray(header) ? header.join(',') : header).split(',')
  for (let hop = hops.length - 1; hop >= 0 && isInBlockList(trusted, address); hop--) {
    const next = unmapAddress(hops[hop]!)
    if (isIP(next) === 0) break
    address = next
  }
  return address
}
