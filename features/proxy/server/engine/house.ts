import type { Socket } from 'node:net'
import { checkedAddresses, dial, Refused } from './dial.ts'
import type { Policy, RefusalCause } from './dial.ts'
import { createGuest, refusalOf } from './guest.ts'
import type { Account, Elsewhere, Guest, Moved } from './guest.ts'

/** Where accounts stand. Credentials pass through it and are written nowhere. */
export interface Accounts {
  /** The live account these credentials open. */
  find(given: { readonly username: string; readonly password: string }): Promise<Account | undefined>
  /** Those of these that are still good, with what other processes hold of them: a new password or an end makes an account another one. */
  stillGood(open: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Elsewhere>>
  note(moved: ReadonlyMap<string, Readonly<Moved>>): Promise<void>
}

/** What both doors share: who may come in, where they may go, what they have moved. */
export interface House {
  readonly challenge: string
  /** `wait`: too many wrong passwords came from there. */
  enter(given: { readonly username: string; readonly password: string }, from: string): Promise<Guest | 'wait' | undefined>
  /** A socket to the target. Throws `Refused`. */
  reach(guest: Guest, host: string, port: number): Promise<Socket>
  /** Cuts who is over, notes what was moved. Called again and again. */
  look(): Promise<void>
  /** Open tunnels. */
  tunnels(): number
  cutAll(): void
}

const WRONG_AT_MOST = 30
const WRONG_MS = 60_000
/** What a door may take from a client's first byte to its target. So long an account without tunnels stays known: its password may already have been given. */
export const GREETING_MS = 20_000

export function createHouse(accounts: Accounts, policy: () => Promise<Policy>, now: () => number): House {
  const guests = new Map<string, Guest>()
  const guesses = watchGuesses(now)
  let noting = Promise.resolve()
  /** One after the other: whoever has waited finds all that was moved before. */
  const note = () => (noting = noting.catch(() => {}).then(() => noteMoved(accounts, guests)))

  return {
    challenge: 'Basic realm="proxy", charset="UTF-8"',
    enter: async (given, from) => {
      if (guesses.isGuessing(from)) return 'wait'
      let account = await accounts.find(given)
      if (account && !guests.has(account.id)) {
        // What guests of the same user have moved may count against it, and is not noted yet
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
        // Nobody would count the bytes of one that is not known any more, nor cut it at its end
        const before = guests.get(guest.account.id) === guest ? refusalOf(guest, guest.dialling - 1) : 'spent'
        if (before) throw new Refused(before)
        const addresses = await checkedAddresses(host, port, await policy())
        const socket = await dial(addresses, port, guest.account.exit)
        // Others may have come first while this one dialled, or the time is over
        const after = guest.account.expiresAt.getTime() <= now() ? 'spent' : refusalOf(guest, 0)
        if (!after) return socket
        socket.destroy()
        throw new Refused(after)
      } catch (error) {
        noteRefusal(guest.moved, error instanceof Refused ? { [error.refusal]: 1 } : {}, 1)
        throw error
      } finally {
        guest.dialling--
      }
    },
    look: async () => {
      guesses.forget()
      if (!guests.size) return
      // Who enters while the accounts are asked after is not among them, and has just been let in
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

/** Wrong passwords by where they came from. */
function watchGuesses(now: () => number) {
  const wrong = new Map<string, { count: number; until: number }>()
  return {
    isGuessing: (from: string) => {
      const entry = wrong.get(from)
      return entry !== undefined && entry.until > now() && entry.count >= WRONG_AT_MOST
    },
    note: (from: string) => {
      const entry = wrong.get(from)
      if (entry && entry.until > now()) entry.count++
      else wrong.set(from, { count: 1, until: now() + WRONG_MS })
    },
    forget: () => {
      for (const [from, { until }] of wrong) if (until <= now()) wrong.delete(from)
    },
  }
}

function noteRefusal(moved: Moved, why: Moved['why'], times: number): void {
  moved.refused += times
  for (const [cause, count] of Object.entries(why) as [RefusalCause, number][]) moved.why[cause] = (moved.why[cause] ?? 0) + count
}

const isIdle = ({ open, dialling, moved }: Guest) => !open.size && !dialling && isStill(moved)
const isStill = ({ up, down, tunnels, refused }: Moved) => up + down + tunnels + refused === 0

/** What comes while it is written belongs to the next note, and so does what could not be written. */
async function noteMoved(accounts: Accounts, guests: Map<string, Guest>): Promise<void> {
  const taken = new Map<string, Moved>()
  const owners = [...guests]
  for (const [id, { moved }] of owners) {
    if (isStill(moved)) continue
    taken.set(id, { ...moved })
    Object.assign(moved, { up: 0, down: 0, tunnels: 0, refused: 0, why: {} })
  }
  try {
    await accounts.note(taken)
  } catch (error) {
    // One that seemed idle meanwhile is remembered again
    for (const [id, guest] of owners) if (taken.has(id) && !guests.has(id)) guests.set(id, guest)
    for (const [id, { up, down, tunnels, refused, why }] of taken) {
      const { moved } = guests.get(id)!
      moved.up += up
      moved.down += down
      moved.tunnels += tunnels
      noteRefusal(moved, why, refused)
    }
    throw error
  }
}
