import { minus, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Journal, Lease, Refusal } from '../../deps.ts'

/**
 * Money set aside for what a session may do next. It grows in parts, all of one lease: what a response is settled from is one
 * promise. Nothing is awaited while the lease in memory covers it.
 */
export interface Stake {
  readonly total: Nano
  readonly lease: Lease | undefined
  /** Resolves to undefined when `need` was set aside; a response that began meanwhile may have taken it, so who had to wait asks again. */
  raise(need: Nano): Refusal | undefined | Promise<Refusal | undefined>
  /** Hands the money over to a promise that is settled with the first part; `rest` gives the others back after that. */
  take(): Taken | undefined
  giveBack(): void
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

export function createStake(journal: Journal, key: ApiKey): Stake {
  let lease: Lease | undefined
  let parts: Nano[] = []
  let total: Nano = 0n

  const giveBack = (): void => {
    if (lease !== undefined) for (const part of parts) journal.giveBack(lease.leaseId, part)
    lease = undefined
    parts = []
    total = 0n
  }
  const got = (amount: Nano, answer: Lease | Refusal): Refusal | undefined | Promise<Refusal | undefined> => {
    if (typeof answer === 'string') return answer
    if (lease !== undefined && answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return replace(plus(total, amount))
    }
    lease = answer
    parts.push(amount)
    total = plus(total, amount)
    return undefined
  }
  /** The account's lease was replaced meanwhile: all of it from the new one. What is here stays until that is there: a response may have begun on it. */
  const replace = (whole: Nano): Refusal | undefined | Promise<Refusal | undefined> => {
    const put = (answer: Lease | Refusal): Refusal | undefined => {
      if (typeof answer === 'string') return answer
      giveBack()
      lease = answer
      parts = [whole]
      total = whole
      return undefined
    }
    const answer = journal.admit(key, whole)
    return answer instanceof Promise ? answer.then(put) : put(answer)
  }
  const raise = (need: Nano): Refusal | undefined | Promise<Refusal | undefined> => {
    if (total >= need) return undefined
    const amount = minus(need, total)
    const answer = journal.admit(key, amount)
    return answer instanceof Promise ? answer.then((later) => got(amount, later)) : got(amount, answer)
  }
  return {
    get total() {
      return total
    },
    get lease() {
      return lease
    },
    raise,
    giveBack,
    take() {
      if (lease === undefined || parts.length === 0) return undefined
      const taken = takenOf(journal, key, lease, parts)
      lease = undefined
      parts = []
      total = 0n
      return taken
    },
  }
}

function takenOf(journal: Journal, key: ApiKey, lease: Lease, parts: Nano[]): Taken {
  const [first = 0n] = parts
  let held = parts.reduce((sum, part) => plus(sum, part), 0n)
  const got = (amount: Nano, answer: Lease | Refusal): Refusal | undefined => {
    if (typeof answer === 'string') return answer
    if (answer.leaseId !== lease.leaseId) {
      journal.giveBack(answer.leaseId, amount)
      return 'unavailable'
    }
    parts.push(amount)
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
      const answer = journal.admit(key, amount)
      return answer instanceof Promise ? answer.then((later) => got(amount, later)) : got(amount, answer)
    },
    rest() {
      for (const part of parts.slice(1)) journal.giveBack(lease.leaseId, part)
    },
    drop() {
      for (const part of parts) journal.giveBack(lease.leaseId, part)
    },
  }
}
