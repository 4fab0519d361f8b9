import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

/**
 * Subject for one household or machine: an IPv4 address, or the /64 of an IPv6 one, whose owner can freely change the rest. Mapped IPv4
 * (::ffff:1.2.3.4) is IPv4.
 */
export function toIpSubject(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !isIPv6(ip)) return mapped ?? ip
  const [head = '', tail] = ip.split('%')[0]!.toLowerCase().split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const filled = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Block of addresses that one party may control: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function toBlockSubject(ip: string): string {
  const one = toIpSubject(ip)
  return one.includes(':') ? `${one.split(':').slice(0, 3).join(':')}::/48` : one.replace(/\.\d+$/, '.0/24')
}

/** Subject of a counter: a single one, or a member of a group whose counters are read and reset together. */
export type CounterSubject = string | { readonly group: string; readonly member: string }

export function hashSubject(subject: CounterSubject): Buffer {
  if (typeof subject === 'string') return sha256(subject)
  return Buffer.concat([hashGroup(subject.group), sha256(`${subject.group} ${subject.member}`).subarray(0, 16)])
}

/** Prefix of the group's hashes, which are therefore adjacent in the table's key. */
export const hashGroup = (group: string): Buffer => sha256(group).subarray(0, 16)

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
