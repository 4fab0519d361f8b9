import { subtractNano, addNano, sumNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Journal, Lease, FundsRefusal } from '../../deps.ts'

/**
 * Money set aside for the next responses of a session. It grows in parts, all of one lease: a response is settled from a single promise.
 * Synchronous while the lease in memory covers it.
 */
export interface Stake {
  readonly total: Nano
  readonly lease: Lease | undefined
  /** This process was declared dead since: the money covers responses that the vendor may be generating, but no further input. */
  readonly isLost: boolean
  /**
   * Resolves to undefined when `need` is set aside; a response that began meanwhile may have taken it, so callers that waited must check
   * again.
   */
  raise(need: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined>
  /**
   * Moves exactly `need`, or as much as there is, to a promise that is settled with the first part; `rest` releases the others after that.
   */
  take(need: Nano): StakeTake | undefined
  /** Sets aside as much of `need` as is available, however little: for responses already in progress. */
  scrape(need: Nano): Promise<void>
  /** Ends the stake with its session. Amounts that are still being requested are released as they arrive. */
  close(): void
  readonly closed: boolean
}

export interface StakeTake {
  readonly lease: Lease
  readonly held: Nano
  /** Adds to the same promise while it runs. */
  raise(need: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined>
  /** The part that a settlement ends; the others are released right after it. */
  readonly first: Nano
  rest(): void
  /** Releases all of it: the response did not happen. */
  drop(): void
}

/** One admitted amount. */
interface StakePart {
  readonly amount: Nano
}
const sumParts = (parts: readonly StakePart[]): Nano => sumNano(parts.map((part) => part.amount))

type MaybePromise<T> = T | Promise<T>
const useAnswer = <T>(answer: MaybePromise<Lease | FundsRefusal>, use: (answer: Lease | FundsRefusal) => MaybePromise<T>): MaybePromise<T> =>
  answer instanceof Promise ? answer.then(use) : use(answer)

export function createStake(journal: Journal, key: ApiKey): Stake {
  let lease: Lease | undefined
  let parts: StakePart[] = []
  let total: Nano = 0n
  let closed = false

  const giveBack = (): void => {
    if (lease !== undefined) for (const part of parts) journal.giveBack(lease.leaseId, part.amount)
    lease = undefined
    parts = []
    total = 0n
  }
  const got = (amount: Nano, answer: Lease | FundsRefusal): FundsRefusal | undefined | Promise<FundsRefusal | undefined> => {
    if (typeof answer === 'string') return answer
    if (closed) return refuseLateLease(journal, answer, amount)
    if (lease !== undefined && answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return replace(addNano(total, amount))
    }
    lease = answer
    parts.push({ amount })
    total = addNano(total, amount)
    return undefined
  }
  /** The account's lease was replaced: requests all of it from the new one, and keeps the parts until then, as a response may use them. */
  const replace = (whole: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined> => {
    return useAnswer(journal.admit(key, whole), (answer): FundsRefusal | undefined => {
      if (typeof answer === 'string') return answer
      if (closed) return refuseLateLease(journal, answer, whole)
      giveBack()
      lease = answer
      parts = [{ amount: whole }]
      total = whole
      return undefined
    })
  }
  const raise = (need: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined> => {
    if (total >= need) return undefined
    const amount = subtractNano(need, total)
    return useAnswer(journal.admit(key, amount), (answer) => got(amount, answer))
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
      const { taken, left } = splitParts(parts, need)
      // the rest beyond the need pays for the responses behind this one
      if (taken.length + left.length > parts.length) journal.split(from.leaseId)
      parts = left
      total = sumParts(parts)
      if (parts.length === 0) lease = undefined
      return createStakeTake(journal, key, from, taken)
    },
    async scrape(need) {
      if (total >= need) return
      const amount = subtractNano(need, total)
      const answer = await journal.admit(key, amount, 1n)
      if (typeof answer !== 'string') await got(answer.granted ?? amount, answer)
    },
  }
}

/** The parts whose sum is closest to `need` from above, or all of them; none is as small as the excess. */
function pickParts(parts: readonly StakePart[], need: Nano): StakePart[] {
  const taken: StakePart[] = []
  let some: Nano = 0n
  for (const part of parts.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))) {
    if (taken.length > 0 && some >= need) break
    taken.push(part)
    some = addNano(some, part.amount)
  }
  const needed = taken.filter((part) => {
    const isSpare = subtractNano(some, part.amount) >= need && some > part.amount
    if (isSpare) some = subtractNano(some, part.amount)
    return !isSpare
  })
  // A settlement ends the first part: the largest.
  return needed.toReversed()
}

function refuseLateLease(journal: Journal, answer: Lease, amount: Nano): FundsRefusal {
  journal.giveBack(answer.leaseId, amount)
  return 'unavailable'
}

/** Removes `need` from the parts, splitting one of them if necessary. */
function splitParts(parts: readonly StakePart[], need: Nano): { readonly taken: StakePart[]; readonly left: StakePart[] } {
  const taken = pickParts(parts, need)
  const left = parts.filter((part) => !taken.includes(part))
  const beyond = subtractNano(sumParts(taken), need)
  if (beyond > 0n) {
    taken[0] = { amount: subtractNano(taken[0]!.amount, beyond) }
    left.push({ amount: beyond })
  }
  return { taken, left }
}

function createStakeTake(journal: Journal, key: ApiKey, lease: Lease, parts: StakePart[]): StakeTake {
  const first = parts[0]?.amount ?? 0n
  let held = sumParts(parts)
  let over = false
  const got = (amount: Nano, answer: Lease | FundsRefusal): FundsRefusal | undefined => {
    if (typeof answer === 'string') return answer
    if (over || answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return 'unavailable'
    }
    parts.push({ amount })
    held = addNano(held, amount)
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
      const amount = subtractNano(need, held)
      return useAnswer(journal.admit(key, amount), (answer) => got(amount, answer))
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
