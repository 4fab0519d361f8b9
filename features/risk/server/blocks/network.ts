import { BlockList, isIP, isIPv6 } from 'node:net'

/** Wider than this and half a country is locked out by a slip of the finger. */
const WIDEST = { 4: 12, 6: 29 } as const

/** `203.0.113.7` or `203.0.113.0/24` as its network, lower case, bits after the prefix cleared; undefined for what is none or too wide. */
export function networkOf(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().toLowerCase().split('/')
  const family = isIP(address)
  if (!family || rest.length || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const whole = family === 4 ? 32 : 128
  const prefix = bits === undefined ? whole : Number(bits)
  if (prefix > whole || prefix < WIDEST[family as 4 | 6]) return undefined
  return family === 4 ? `${cleared(address, prefix)}/${prefix}` : `${address}/${prefix}`
}

/** An IPv4 address with the bits after the prefix zero, so that one network has one name. */
function cleared(address: string, prefix: number): string {
  const number = address.split('.').reduce((all, part) => all * 256 + Number(part), 0)
  const size = 2 ** (32 - prefix)
  const base = Math.floor(number / size) * size
  return [24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join('.')
}

/** Whether an address lies in one of these networks. IPv4 in an IPv6 coat is IPv4. */
export function inNetworks(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return (ip) => {
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}
