import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Not the public internet: this host, private, shared (CGNAT), link-local (cloud metadata too), documentation, benchmarks, multicast, reserved. Source: IANA special-purpose registry. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Of IPv6 only global unicast is open, and in it not what carries an IPv4 address (Teredo, 6to4) or documents. */
const OPEN_V6 = '2000::/3'
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Networks as `address/bits`, or single addresses. Throws where one cannot be read. */
export function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = familyOf(address)
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

const closed = networksOf([...CLOSED_V4, ...CLOSED_V6])
const openV6 = networksOf([OPEN_V6])

/** Whether an address lies on the public internet. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const family = familyOf(address)
  return !closed.check(address, family) && (version === 4 || openV6.check(address, family))
}

/** Addresses under which this machine answers: its own doors must not be reached from behind. */
export function ownAddresses(): BlockList {
  const list = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) list.addAddress(address, familyOf(address))
  return list
}

export const holds = (list: BlockList, address: string): boolean => isIP(address) !== 0 && list.check(address, familyOf(address))
