/** Rate limits of one sending machine. */
export interface PeerLimits {
  readonly connections: number
  /** In a minute. */
  readonly mails: number
  /** Unknown recipients per minute. */
  readonly strangers: number
}

const MINUTE_MS = 60_000
const MAX_PEERS = 50_000

interface Peer {
  open: number
  since: number
  mails: number
  strangers: number
}

export interface SmtpPeers {
  /** Returns false if it has too many connections. */
  enter(ip: string): boolean
  leave(ip: string): void
  /** Returns false if it has reached its limit of mails. */
  mail(ip: string): boolean
  /** Returns false if it has tried too many unknown recipients. */
  stranger(ip: string): boolean
}

/** Counts by address; an IPv6 /64, typically one customer, counts as one. */
export function createSmtpPeers(limits: PeerLimits, now: () => number): SmtpPeers {
  const peers = new Map<string, Peer>()
  const of = (ip: string): Peer => {
    const key = peerNetwork(ip)
    const at = now()
    let peer = peers.get(key)
    if (!peer) {
      if (peers.size >= MAX_PEERS) for (const [name, one] of peers) if (!one.open && at - one.since > MINUTE_MS) peers.delete(name)
      peer = { open: 0, since: at, mails: 0, strangers: 0 }
      peers.set(key, peer)
    }
    if (at - peer.since >= MINUTE_MS) Object.assign(peer, { since: at, mails: 0, strangers: 0 })
    return peer
  }
  return {
    enter: (ip) => {
      const peer = of(ip)
      if (peer.open >= limits.connections) return false
      peer.open++
      return true
    },
    leave: (ip) => {
      const key = peerNetwork(ip)
      const peer = peers.get(key)
      if (!peer) return
      peer.open = Math.max(0, peer.open - 1)
      if (!peer.open && now() - peer.since > MINUTE_MS) peers.delete(key)
    },
    mail: (ip) => ++of(ip).mails <= limits.mails,
    stranger: (ip) => ++of(ip).strangers <= limits.strangers,
  }
}

/** An IPv4 address, or the /64 of an IPv6 one. */
export function peerNetwork(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::') as [string, string?]
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const zeros = plain.includes('::') ? Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0') : []
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
