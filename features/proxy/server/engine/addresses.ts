import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

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

/** Addresses under which this machine answers: its own doors must not be reached from behind. */
export function ownAddresses(): BlockList {
  const list = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) list.addAddress(address, familyOf(address))
  return list
}

export const holds = (list: BlockList, address: string): boolean => isIP(address) !== 0 && list.check(address, familyOf(address))
