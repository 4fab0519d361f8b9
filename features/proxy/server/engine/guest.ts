import type { DialExit, RefusalCause } from './dial.ts'

/** A stored account that may open tunnels. */
export interface TunnelAccount {
  readonly id: string
  readonly expiresAt: Date
  /** Remaining traffic in bytes, both directions together. */
  readonly bytesLeft: number
  /** Maximum number of concurrent tunnels. */
  readonly tunnels: number
  /** Bandwidth in bytes per second, both directions together. */
  readonly bandwidth: number
  readonly exit: DialExit | undefined
  /** Tunnels of the account in other processes. */
  readonly elsewhere: number
}

/** State of an account in other processes, refreshed once a second. */
export interface RemoteUsage {
  /** Tunnels in other processes. */
  readonly tunnels: number
  /** Number of other processes with tunnels of the account. */
  readonly houses: number
  /** Remaining traffic in bytes, without what this process has not recorded yet. */
  readonly bytesLeft: number
}

/** Traffic of an account since the last record. */
export interface GuestTraffic {
  up: number
  down: number
  tunnels: number
  refused: number
  /** Refusals by cause. */
  readonly why: Partial<Record<RefusalCause, number>>
}

/** An account with tunnels in this process. */
export interface Guest {
  readonly account: TunnelAccount
  /** Traffic that is not recorded yet. */
  readonly moved: GuestTraffic
  readonly open: Set<() => void>
  /** Time of the last sign-in in milliseconds. */
  enteredAt: number
  /** Number of targets being dialled. */
  dialling: number
  /** True once its time or its password has expired: pending dials are dropped. */
  isOver: boolean
  /** Last known number of tunnels in other processes. */
  elsewhere: number
  /** Applies the state in other processes: divides the bandwidth among them and updates the remaining traffic. */
  share(elsewhere: RemoteUsage): void
  /** True if its traffic is used up. */
  isSpent(): boolean
  /** Counts bytes and returns the milliseconds to wait before reading more. */
  take(bytes: number, direction: 'up' | 'down'): number
  /** Closes all of its tunnels. */
  cut(): void
}

/** Burst: one second's bandwidth may pass at once. */
const BURST_SECONDS = 1

export function createGuest(account: TunnelAccount, now: () => number = Date.now): Guest {
  const moved: GuestTraffic = { up: 0, down: 0, tunnels: 0, refused: 0, why: {} }
  const open = new Set<() => void>()
  let left = account.bytesLeft
  let bandwidth = account.bandwidth
  // Moment until which the bandwidth is used up; never further back than the burst.
  let usedUntil = 0
  const guest: Guest = {
    account,
    moved,
    open,
    enteredAt: now(),
    dialling: 0,
    isOver: false,
    elsewhere: account.elsewhere,
    share: ({ tunnels, houses, bytesLeft }) => {
      guest.elsewhere = tunnels
      bandwidth = account.bandwidth / (houses + 1)
      left = bytesLeft - moved.up - moved.down
      if (left < 0) guest.cut()
    },
    isSpent: () => left <= 0,
    take: (bytes, direction) => {
      moved[direction] += bytes
      left -= bytes
      if (left < 0) {
        guest.cut()
        return 0
      }
      const at = now()
      usedUntil = Math.max(usedUntil, at - BURST_SECONDS * 1000) + (bytes / bandwidth) * 1000
      return Math.max(0, usedUntil - at)
    },
    cut: () => {
      for (const end of open) end()
    },
  }
  return guest
}

/** Checks if the account may open one more tunnel. Pending dials count too: a target that never answers also takes a place. */
export function findTunnelRefusal({ account, open, isOver, elsewhere, isSpent }: Guest, dialling: number): 'limit' | 'spent' | undefined {
  if (isOver || isSpent()) return 'spent'
  return open.size + elsewhere + dialling >= account.tunnels ? 'limit' : undefined
}
