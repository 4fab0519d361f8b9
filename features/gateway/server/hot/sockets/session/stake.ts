import { minus, plus, sum } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Journal, Lease, Refusal } from '../../deps.ts'

/**
 * Money set aside for what a session may do next. It grows in parts, all of one lease: what a response is settled from is one
 * promise. Nothing is awaited while the lease in memory covers it.
 */
export interface Stake {
  readonly total: Nano
  readonly lease: Lease | undefined
  /** This process was declared dead since: it pays for what the vendor may be answering, and for nothing that is said from now on. */
  readonly isLost: boolean
  /** Resolves to undefined when `need` was set aside; a response that began meanwhile may have taken it, so who had to wait asks again. */
  raise(need: Nano): Refusal | undefined | Promise<Refusal | undefined>
  /** Hands exactly `need`, or what there is of it, over to a promise that is settled with the first part; `rest` gives the others back after that. */
  take(need: Nano): Taken | undefined
  /** Sets aside what of `need` is to be had, however little: for what is under way already. */
  scrape(need: Nano): Promise<void>
  /** At the end of the session. What is still being asked for goes back as it comes. */
  close(): void
  readonly closed: boolean
}

export interface Taken {
  readonly lease: Lease
  readonly held: Nano
  /** More for the same promise while it runs. */
  raise(need: Nano): Refusal | undefined | Promise<Refusal | undefined>
  /** The part that a settlement ends; the others go back right after it. */
  readonly first: Nano
  rest(): void
  /** Nothing came of it: all of it goes back. */
  drop(): void
}

/** One admitted amount. */
interface Part {
  readonly amount: Nano
}
const sumOf = (parts: readonly Part[]): Nano => sum(parts.map((part) => part.amount))

type Answer<T> = T | Promise<T>
const onceHad = <T>(answer: Answer<Lease | Refusal>, use: (answer: Lease | Refusal) => Answer<T>): Answer<T> =>
  answer instanceof Promise ? answer.then(use) : use(answer)

export function createStake(journal: Journal, key: ApiKey): Stake {
  let lease: Lease | undefined
  let parts: Part[] = []
  let total: Nano = 0n
  let closed = false

  const giveBack = (): void => {
    if (lease !== undefined) for (const part of parts) journal.giveBack(lease.leaseId, part.amount)
    lease = undefined
    parts = []
    total = 0n
  }
  const got = (amount: Nano, answer: Lease | Refusal): Refusal | undefined | Promise<Refusal | undefined> => {
    if (typeof answer === 'string') return answer
    if (closed) return tooLate(journal, answer, amount)
    if (lease !== undefined && answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return replace(plus(total, amount))
    }
    lease = answer
    parts.push({ amount })
    total = plus(total, amount)
    return undefined
  }
  /** The account's lease was replaced meanwhile: all of it from the new one. What is here stays until that is there: a response may have begun on it. */
  const replace = (whole: Nano): Refusal | undefined | Promise<Refusal | undefined> => {
    return onceHad(journal.admit(key, whole), (answer): Refusal | undefined => {
      if (typeof answer === 'string') return answer
      if (closed) return tooLate(journal, answer, whole)
      giveBack()
      lease = answer
      parts = [{ amount: whole }]
      total = whole
      return undefined
    })
  }
  const raise = (need: Nano): Refusal | undefined | Promise<Refusal | undefined> => {
    if (total >= need) return undefined
    const amount = minus(need, total)
    return onceHad(journal.admit(key, amount), (answer) => got(amount, answer))
  }
  return {
    get total() {
      return total
    },
    get lease() {
      return lease
    },
    get isLost() {
      return lease !== undefined && journal.isLost(lease.leaseId)
    },
    raise,
    close() {
      closed = true
      giveBack()
    },
    get closed() {
      return closed
    },
    take(need) {
      if (lease === undefined || parts.length === 0) return undefined
      const from = lease
      const { taken, left } = cut(parts, need)
      // what is beyond the need pays for the responses behind this one
      if (taken.length + left.length > parts.length) journal.split(from.leaseId)
      parts = left
      total = sumOf(parts)
      if (parts.length === 0) lease = undefined
      return takenOf(journal, key, from, taken)
    },
    async scrape(need) {
      if (total >= need) return
      const amount = minus(need, total)
      const answer = await journal.admit(key, amount, 1n)
      if (typeof answer !== 'string') await got(answer.granted ?? amount, answer)
    },
  }
}

/** The parts that come closest to `need` from above, or all of them; none is as small as what is beyond it. */
function fitting(parts: readonly Part[], need: Nano): Part[] {
  const taken: Part[] = []
  let some: Nano = 0n
  for (const part of parts.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))) {
    if (taken.length > 0 && some >= need) break
    taken.push(part)
    some = plus(some, part.amount)
  }
  const needed = taken.filter((part) => {
    const isSpare = minus(some, part.amount) >= need && some > part.amount
    if (isSpare) some = minus(some, part.amount)
    return !isSpare
  })
  // A settlement ends the first: the largest.
  return needed.toReversed()
}

function tooLate(journal: Journal, answer: Lease, amount: Nano): Refusal {
  journal.giveBack(answer.leaseId, amount)
  return 'unavailable'
}

/** `need` taken off the parts, one of them in two if need be. */
function cut(parts: readonly Part[], need: Nano): { readonly taken: Part[]; readonly left: Part[] } {
  const taken = fitting(parts, need)
  const left = parts.filter((part) => !taken.includes(part))
  const beyond = minus(sumOf(taken), need)
  if (beyond > 0n) {
    taken[0] = { amount: minus(taken[0]!.amount, beyond) }
    left.push({ amount: beyond })
  }
  return { taken, left }
}

function takenOf(journal: Journal, key: ApiKey, lease: Lease, parts: Part[]): Taken {
  const first = parts[0]?.amount ?? 0n
  let held = sumOf(parts)
  let over = false
  const got = (amount: Nano, answer: Lease | Refusal): Refusal | undefined => {
    if (typeof answer === 'string') return answer
    if (over || answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return 'unavailable'
    }
    parts.push({ amount })
    held = plus(held, amount)
    return undefined
  }
  return {
    lease,
    first,
    get held() {
      return held
    },
    raise(need) {
      if (held >= need) return undefined
      const amount = minus(need, held)
      return onceHad(journal.admit(key, amount), (answer) => got(amount, answer))
    },
    rest() {
      over = true
      for (const part of parts.slice(1)) journal.giveBack(lease.leaseId, part.amount)
    },
    drop() {
      over = true
      for (const part of parts) journal.giveBack(lease.leaseId, part.amount)
    },
  }
}
