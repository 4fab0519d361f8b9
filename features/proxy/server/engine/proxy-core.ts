import type { Socket } from 'node:net'
import { resolveCheckedAddresses, dialTarget, DialRefused } from './dial.ts'
import type { Policy, RefusalCause } from './dial.ts'
import { createGuest, findTunnelRefusal } from './guest.ts'
import type { TunnelAccount, RemoteUsage, Guest, GuestTraffic } from './guest.ts'

/** The store of accounts. It receives credentials and never stores them. */
export interface AccountStore {
  /** Finds the live account for the credentials. */
  find(given: { readonly username: string; readonly password: string }): Promise<TunnelAccount | undefined>
  /** Returns the accounts that are still valid, with their state in other processes; a new password or an end invalidates an account. */
  stillGood(open: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, RemoteUsage>>
  note(moved: ReadonlyMap<string, Readonly<GuestTraffic>>): Promise<void>
}

/** Core of the proxy, shared by the HTTP and SOCKS doors: authentication, target rules, limits and traffic. */
export interface ProxyCore {
  readonly challenge: string
  /** Authenticates a client; `wait` after too many wrong passwords from its address. */
  enter(given: { readonly username: string; readonly password: string }, from: string): Promise<Guest | 'wait' | undefined>
  /** Opens a socket to the target. Throws `Refused`. */
  reach(guest: Guest, host: string, port: number): Promise<Socket>
  /** Closes expired accounts and records traffic. Called periodically. */
  look(): Promise<void>
  /** Number of open tunnels. */
  tunnels(): number
  cutAll(): void
}

const MAX_WRONG_PASSWORDS = 30
const WRONG_WINDOW_MS = 60_000
/** Timeout from a client's first byte to its target. An account without tunnels is kept for as long, as its client may just have signed in. */
export const GREETING_MS = 20_000

export function createProxyCore(accounts: AccountStore, policy: () => Promise<Policy>, now: () => number): ProxyCore {
  const guests = new Map<string, Guest>()
  const guesses = createGuessLimiter(now)
  let noting = Promise.resolve()
  /** Records run one after the other: after it resolves, all earlier traffic is recorded. */
  const note = () => (noting = noting.catch(() => {}).then(() => recordTraffic(accounts, guests)))

  return {
    challenge: 'Basic realm="proxy", charset="UTF-8"',
    enter: async (given, from) => {
      if (guesses.isGuessing(from)) return 'wait'
      let account = await accounts.find(given)
      if (account && !guests.has(account.id)) {
        // Traffic of the user's other uses may count against it and is not recorded yet
        await note()
        account = await accounts.find(given)
      }
      if (!account || account.expiresAt.getTime() <= now()) {
        guesses.note(from)
        return undefined
      }
      const known = guests.get(account.id)
      if (known) {
        known.enteredAt = now()
        known.elsewhere = Math.max(known.elsewhere, account.elsewhere)
        return known
      }
      const guest = createGuest(account, now)
      guests.set(account.id, guest)
      return guest
    },
    reach: async (guest, host, port) => {
      guest.dialling++
      try {
        // For a removed guest, bytes would not be counted and tunnels not cut at its end
        const before = guests.get(guest.account.id) === guest ? findTunnelRefusal(guest, guest.dialling - 1) : 'spent'
        if (before) throw new DialRefused(before)
        const addresses = await resolveCheckedAddresses(host, port, await policy())
        const socket = await dialTarget(addresses, port, guest.account.exit)
        // Concurrent dials may have won, or the time has run out
        const after = guest.account.expiresAt.getTime() <= now() ? 'spent' : findTunnelRefusal(guest, 0)
        if (!after) return socket
        socket.destroy()
        throw new DialRefused(after)
      } catch (error) {
        addRefusals(guest.moved, error instanceof DialRefused ? { [error.refusal]: 1 } : {}, 1)
        throw error
      } finally {
        guest.dialling--
      }
    },
    look: async () => {
      guesses.forget()
      if (!guests.size) return
      // Guests who sign in during the check are not part of it; they were just verified
      const asked = [...guests]
      const good = await accounts.stillGood(new Map(asked.map(([id, { open }]) => [id, open.size])))
      for (const [id, guest] of asked) {
        const elsewhere = good.get(id)
        if (elsewhere && guest.account.expiresAt.getTime() > now()) guest.share(elsewhere)
        else {
          guest.isOver = true
          guest.cut()
        }
      }
      await note()
      for (const [id, guest] of guests) if (isIdle(guest) && (guest.isOver || guest.enteredAt + GREETING_MS < now())) guests.delete(id)
    },
    tunnels: () => [...guests.values()].reduce((sum, guest) => sum + guest.open.size, 0),
    cutAll: () => {
      for (const guest of guests.values()) guest.cut()
    },
  }
}

/** Counts wrong passwords by client address. */
function createGuessLimiter(now: () => number) {
  const wrong = new Map<string, { count: number; until: number }>()
  return {
    isGuessing: (from: string) => {
      const entry = wrong.get(from)
      return entry !== undefined && entry.until > now() && entry.count >= MAX_WRONG_PASSWORDS
    },
    note: (from: string) => {
      const entry = wrong.get(from)
      if (entry && entry.until > now()) entry.count++
      else wrong.set(from, { count: 1, until: now() + WRONG_WINDOW_MS })
    },
    forget: () => {
      for (const [from, { until }] of wrong) if (until <= now()) wrong.delete(from)
    },
  }
}

function addRefusals(moved: GuestTraffic, why: GuestTraffic['why'], times: number): void {
  moved.refused += times
  for (const [cause, count] of Object.entries(why) as [RefusalCause, number][]) moved.why[cause] = (moved.why[cause] ?? 0) + count
}

const isIdle = ({ open, dialling, moved }: Guest) => !open.size && !dialling && hasNoTraffic(moved)
const hasNoTraffic = ({ up, down, tunnels, refused }: GuestTraffic) => up + down + tunnels + refused === 0

/** Records the traffic of all guests. Traffic counted during the write, or lost with a failed write, goes to the next record. */
async function recordTraffic(accounts: AccountStore, guests: Map<string, Guest>): Promise<void> {
  const taken = new Map<string, GuestTraffic>()
  const owners = [...guests]
  for (const [id, { moved }] of owners) {
    if (hasNoTraffic(moved)) continue
    taken.set(id, { ...moved })
    Object.assign(moved, { up: 0, down: 0, tunnels: 0, refused: 0, why: {} })
  }
  try {
    await accounts.note(taken)
  } catch (error) {
    // Restore guests that were removed as idle meanwhile
    for (const [id, guest] of owners) if (taken.has(id) && !guests.has(id)) guests.set(id, guest)
    for (const [id, { up, down, tunnels, refused, why }] of taken) {
      const { moved } = guests.get(id)!
      moved.up += up
      moved.down += down
      moved.tunnels += tunnels
      addRefusals(moved, why, refused)
    }
    throw error
  }
}
