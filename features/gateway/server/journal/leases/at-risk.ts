import { minNano as smaller, subtractNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Lease, FundsRefusal } from '../../hot/deps.ts'
import type { LeasePool } from './lease-pool.ts'

/** Amount of one account promised to open calls of this process, including calls that wait for the database. */
interface AccountRisk {
  promised: Nano
}

/**
 * Bounds the money of one account that calls under way may hold in this process, whatever its balance: a stolen key of a rich account can
 * spend only that much at once. `limit` is this process's share (`AccountShare`); undefined: no bound. A call that can run with less gets
 * the rest below the limit.
 */
export function boundRisk(leasePool: LeasePool, limit: () => Nano | undefined): LeasePool {
  const byAccount = new Map<bigint, AccountRisk>()
  /** Account by lease. Calls outlive the detachment of a lease, so it is kept while its account has calls under way. */
  const byLease = new Map<bigint, bigint>()

  const add = (account: bigint, amount: Nano): void => {
    const risk = byAccount.get(account)
    if (risk === undefined) byAccount.set(account, { promised: amount })
    else risk.promised = addNano(risk.promised, amount)
  }
  const take = (account: bigint, amount: Nano): void => {
    const risk = byAccount.get(account)
    if (risk === undefined) return
    risk.promised = subtractNano(risk.promised, amount)
    if (risk.promised <= 0n) byAccount.delete(account)
  }
  const free = (leaseId: bigint, amount: Nano): void => {
    const account = byLease.get(leaseId)
    if (account === undefined) return
    take(account, amount)
    if (!byAccount.has(account)) byLease.delete(leaseId)
  }

  /** Records the outcome of requesting `asked` of `amount`. */
  const told = (
    { accountId }: ApiKey,
    amount: Nano,
    { asked, answer }: { readonly asked: Nano; readonly answer: Lease | FundsRefusal },
  ): Lease | FundsRefusal => {
    if (typeof answer === 'string') {
      take(accountId, asked)
      return answer
    }
    byLease.set(answer.leaseId, accountId)
    if (answer.granted !== undefined) take(accountId, subtractNano(asked, answer.granted))
    return asked === amount || answer.granted !== undefined ? answer : { ...answer, granted: asked }
  }

  return {
    free: (accountId) => leasePool.free(accountId),
    posted: (leaseId) => leasePool.posted(leaseId),
    recall: (accountId) => leasePool.recall(accountId),
    tend: () => leasePool.tend(),
    loseAll: () => leasePool.loseAll(),
    isLost: (leaseId) => leasePool.isLost(leaseId),
    split: (leaseId) => leasePool.split(leaseId),
    closeAll: () => leasePool.closeAll(),
    admit(key, amount, least = amount) {
      const most = limit()
      const promised = byAccount.get(key.accountId)?.promised ?? 0n
      const room = most === undefined ? amount : subtractNano(most, promised)
      if (room < least) return 'too_much_held'
      const asked = smaller(amount, room)
      add(key.accountId, asked)
      const answer = leasePool.admit(key, asked, least)
      return answer instanceof Promise ? answer.then((got) => told(key, amount, { asked, answer: got })) : told(key, amount, { asked, answer })
    },
    end(leaseId, held, used) {
      free(leaseId, held)
      leasePool.end(leaseId, held, used)
    },
    giveBack(leaseId, amount) {
      free(leaseId, amount)
      leasePool.giveBack(leaseId, amount)
    },
  }
}
