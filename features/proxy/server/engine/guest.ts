import type { DialExit, RefusalCause } from './dial.ts'

/** What the store knows of an account that may open tunnels. */
export interface Account {
  readonly id: string
  readonly expiresAt: Date
  /** Bytes it may still move, both directions together. */
  readonly bytesLeft: number
  /** Tunnels at once. */
  readonly tunnels: number
  /** Bytes a second, both directions together. */
  readonly bandwidth: number
  readonly exit: DialExit | undefined
  /** Tunnels that other processes hold of it. */
  readonly elsewhere: number
}

/** What is known of an account beyond this process, once a second. */
export interface Elsewhere {
  /** Tunnels in other processes. */
  readonly tunnels: number
  /** Processes with tunnels of it, but for this one. */
  readonly houses: number
  /** What it may still move, less what this process has not noted yet. */
  readonly bytesLeft: number
}

/** What an account has moved since the last note. */
export interface Moved {
  up: number
  down: number
  tunnels: number
  refused: number
  /** The same by cause. */
  readonly why: Partial<Record<RefusalCause, number>>
}

/** An account with tunnels in this process. */
export interface Guest {
  readonly account: Account
  /** Not noted yet. */
  readonly moved: Moved
  readonly open: Set<() => void>
  /** Moment in milliseconds at which its password was given last. */
  enteredAt: number
  /** Targets that are being dialled for it. */
  dialling: number
  /** Its time or its password is over: what is dialled for it comes too late. */
  isOver: boolean
  /** Tunnels in other processes, as far as this one knows. */
  elsewhere: number
  /** Its bandwidth is divided among the processes that carry it, its traffic is what all of them left. */
  share(elsewhere: Elsewhere): void
  /** Its traffic is used up. */
  isSpent(): boolean
  /** Takes bytes; milliseconds that the taker must wait. */
  take(bytes: number, direction: 'up' | 'down'): number
  /** Ends every tunnel of it. */
  cut(): void
}

/** A second's worth may pass at once. */
const BURST_SECONDS = 1

export function createGuest(account: Account, now: () => number = Date.now): Guest {
  const moved: Moved = { up: 0, down: 0, tunnels: 0, refused: 0, why: {} }
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

/** Whether the account may open one more tunnel now, beside those that are being dialled: a target that never answers takes a place, too. */
export function refusalOf({ account, open, isOver, elsewhere, isSpent }: Guest, dialling: number): 'limit' | 'spent' | undefined {
  if (isOver || isSpent()) return 'spent'
  return open.size + elsewhere + dialling >= account.tunnels ? 'limit' : undefined
}
