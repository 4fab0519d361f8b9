import { BlockList, isIP, isIPv6 } from 'node:net'

/** Minimum prefix lengths: a typo must not block half a country. */
const WIDEST = { 4: 12, 6: 29 } as const

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Normalizes `203.0.113.7` or `203.0.113.0/24` to its network, so that a network has one name: shortest form, bits after the prefix
 * cleared. Returns undefined if the text is invalid, too wide, or not a public IPv6 network: the mapped ones would cover all of IPv4.
 */
export function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().toLowerCase().split('/')
  const family = isIP(address)
  if (!family || address.includes('%') || rest.length || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const whole = family === 4 ? 32 : 128
  const prefix = bits === undefined ? whole : Number(bits)
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped) return prefix >= 96 && prefix <= 128 ? parseNetwork(`${mapped}/${prefix - 96}`) : undefined
  if (prefix > whole || prefix < WIDEST[family as 4 | 6]) return undefined
  if (family === 4) return `${formatIpv4(clearHostBits(parseIpv4(address), 32, prefix))}/${prefix}`
  const base = clearHostBits(parseIpv6(address), 128, prefix)
  return base >> 125n === 1n ? `${formatIpv6(base)}/${prefix}` : undefined
}

const clearHostBits = (number: bigint, whole: number, prefix: number): bigint => {
  const rest = BigInt(whole - prefix)
  return (number >> rest) << rest
}
const parseIpv4 = (address: string): bigint => address.split('.').reduce((all, part) => all * 256n + BigInt(part), 0n)
const formatIpv4 = (number: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((number >> shift) & 255n)).join('.')

/** A URL normalizes an address: `::` for the longest run of zeros, and a trailing IPv4 part as hex. */
const normalizeIpv6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)
function parseIpv6(address: string): bigint {
  const [left = '', right] = normalizeIpv6(address).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = right === undefined ? 0 : 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array<string>(zeros).fill('0'), ...groups(right ?? '')]
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}
const formatIpv6 = (number: bigint): string =>
  normalizeIpv6(Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - at * 16)) & 65_535n).toString(16)).join(':'))

/** Returns a function that checks if an address is in one of the networks. IPv4-mapped IPv6 addresses count as IPv4. */
export function createNetworkMatcher(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return (ip) => {
    const plain = MAPPED.exec(ip)?.[1] ?? ip
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}
