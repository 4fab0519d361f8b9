import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Parses networks (`address/bits`) and single addresses. Throws if one is malformed. */
export function parseBlockList(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = toFamily(address)
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

/** Addresses of this machine, which tunnels must not reach. */
export function listOwnAddresses(): BlockList {
  const list = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) list.addAddress(address, toFamily(address))
  return list
}

export const containsAddress = (list: BlockList, address: string): boolean => isIP(address) !== 0 && list.check(address, toFamily(address))
