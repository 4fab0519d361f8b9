import { atLeast, least, minus, plus, sum, times } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import type { ApiKey, Lease, Refusal } from '../hot/deps.ts'
import { isStill, newPurse, portionOf, surplusOf } from './purse.ts'
import type { Purse, Waiter } from './purse.ts'
import { closeLeases, extendLease, forgetLease, growLease, openLease, recall, shrinkLease } from './statements.ts'
import type { Drawn, LeaseRef } from './statements.ts'

/**
 * Money that this process may promise without asking: one lease an account, drawn in chunks, given back when idle.
 * For every lease: what the wallet holds for it >= free + promised + what is on its way to the ledger. A capture never
 * finds too little, and no two processes promise the same cent.
 */
export interface Purses {
  /** `amount`, or where there is not as much again a part of it: `least` or more. */
  admit(key: ApiKey, amount: Nano, least?: Nano): Lease | Refusal | Promise<Lease | Refusal>
  /** What a refused account could have been promised, as of its last draw. */
  free(accountId: bigint): Nano
  /** A promise came to an end: `used` of it goes to the ledger, the rest is free again. */
  end(leaseId: bigint, held: Nano, used: Nano): void
  /** Admitted, and never promised to a call. */
  giveBack(leaseId: bigint, amount: Nano): void
  /** Its posting is durable. */
  posted(leaseId: bigint): void
  /** Another process is short of this account's money. */
  recall(accountId: bigint): void
  /** Runs a few times a second: gives idle money back, renews old leases. */
  tend(): Promise<void>
  /** The node was declared dead: its leases are other people's business now. */
  loseAll(): void
  /** Gives everything back that promises nothing. */
  closeAll(): Promise<void>
}

const IDLE_MS = 1500
const TIGHT_MS = 3000
const RENEW_MS = 600_000
const RECALL_WAIT_MS = 250
/** A refused account is not asked about again this soon for as much or more. */
const REFUSED_MS = 100
const SPARE_CALLS = 4
const refOf = (purse: Purse): LeaseRef => ({ accountId: purse.accountId, leaseId: purse.lease.leaseId })
/** The wallet's class of refusals. */
const CLOSED = 'MX001'

export function createPurses(sql: Sql, node: string, log: Log, now: () => number = Date.now): Purses {
  const byAccount = new Map<bigint, Purse>()
  const byLease = new Map<bigint, Purse>()
  const refused = new Map<bigint, { amount: Nano; until: number; free: Nano }>()
  /** Leases whose end, or whose beginning, may not have reached the database. */
  let doubtful: LeaseRef[] = []

  const purseOf = (key: ApiKey): Purse => {
    const known = byAccount.get(key.accountId)
    if (known) return known
    const purse = newPurse(key, now())
    byAccount.set(key.accountId, purse)
    byLease.set(purse.lease.leaseId, purse)
    return purse
  }
  const detach = (purse: Purse) => {
    if (byAccount.get(purse.accountId) === purse) byAccount.delete(purse.accountId)
    if (!purse.open && !purse.onTheWay) byLease.delete(purse.lease.leaseId)
  }
  const take = (purse: Purse, amount: Nano): Lease => {
    purse.free = minus(purse.free, amount)
    if (purse.free < purse.low) purse.low = purse.free
    purse.open++
    return purse.lease
  }
  const grant = (purse: Purse) => {
    for (let next = purse.waiters[0]; next; next = purse.waiters[0]) {
      const portion = portionOf(purse, next)
      if (portion === undefined) return
      purse.waiters.shift()
      const lease = take(purse, portion)
      next.answer(portion === next.amount ? lease : { ...lease, granted: portion })
    }
  }
  const refuse = (purse: Purse, from: Nano, why: Refusal) => {
    const stay: Waiter[] = []
    for (const waiter of purse.waiters) {
      if (waiter.least >= from) waiter.answer(why)
      else stay.push(waiter)
    }
    purse.waiters = stay
  }

  /** One draw at a time an account; everybody who waits shares it. */
  const draw = async (purse: Purse) => {
    purse.drawing = true
    try {
      let recalled = false
      while (purse.waiters.length) {
        const { amount, least: floor } = purse.waiters[0]!
        // Never nothing: who can be served from what is here still wants to know what is beyond it.
        const min = atLeast(minus(floor, purse.free), 1n)
        const wanted = atLeast(min, minus(sum(purse.waiters.map((waiter) => waiter.amount)), purse.free))
        const spare = now() < purse.tightUntil ? 0n : atLeast(times(amount, SPARE_CALLS), purse.chunk)
        const drawn = await request(purse, min, wanted, spare)
        purse.free = plus(purse.free, drawn.amount)
        purse.beyond = drawn.left
        // Doubles while it is used up quickly; falls back to nothing when idle.
        if (drawn.amount > 0n) purse.chunk = atLeast(spare, times(least(purse.spent, purse.chunk), 2))
        grant(purse)
        const next = purse.waiters[0]
        if (!next || drawn.amount > 0n) continue
        if (drawn.others && !recalled) {
          recalled = true
          purse.tightUntil = now() + TIGHT_MS
          await recall(sql, purse.accountId, node)
          await new Promise((done) => {
            setTimeout(done, RECALL_WAIT_MS)
          })
          grant(purse)
          continue
        }
        if (refused.size > 10_000) refused.clear()
        refused.set(purse.accountId, { amount: next.least, until: now() + REFUSED_MS, free: plus(purse.free, purse.beyond) })
        refuse(purse, next.least, 'insufficient_balance')
      }
    } catch (error) {
      const closed = (error as Error).message === 'HOLD_CLOSED'
      log.warn({ err: error, accountId: purse.accountId.toString() }, 'no money could be drawn for calls')
      const waiters = purse.waiters
      purse.waiters = []
      if (purse.state === 'none') doubtful.push(refOf(purse))
      if (closed) {
        detach(purse)
        for (const waiter of waiters)
          void Promise.resolve(admit({ keyId: '', userId: purse.userId, accountId: purse.accountId, onDisconnect: 'abort' }, waiter.amount, waiter.least)).then(
            waiter.answer,
          )
        return
      }
      for (const waiter of waiters) waiter.answer('unavailable')
    } finally {
      purse.drawing = false
      if (purse.state === 'none' && byAccount.get(purse.accountId) === purse) detach(purse)
    }
  }
  const request = async (purse: Purse, min: Nano, wanted: Nano, spare: Nano): Promise<Drawn> => {
    const ask = { leaseId: purse.lease.leaseId, accountId: purse.accountId, node, min, wanted, spare }
    purse.renewedAt = now()
    if (purse.state === 'ready') return growLease(sql, ask)
    const drawn = await openLease(sql, ask)
    if (drawn.amount > 0n) purse.state = 'ready'
    return drawn
  }

  const admit: Purses['admit'] = (key, amount, least = amount) => {
    const purse = purseOf(key)
    purse.lastUse = now()
    if (!purse.waiters.length && purse.state === 'ready' && purse.free >= (least === amount ? amount : times(amount, 2))) return take(purse, amount)
    const no = refused.get(key.accountId)
    if (no && least >= no.amount && no.until > purse.lastUse && purse.free < least && !purse.drawing) {
      if (purse.state === 'none') detach(purse)
      return 'insufficient_balance'
    }
    return new Promise<Lease | Refusal>((answer) => {
      purse.waiters.push({ amount, least, answer })
      if (!purse.drawing) void draw(purse)
    })
  }

  /** Removes the purse first, so that nobody promises from it while it is given back. */
  const close = async (purses: readonly Purse[]) => {
    for (const purse of purses) {
      purse.state = 'closing'
      purse.free = 0n
      detach(purse)
    }
    doubtful.push(...purses.map(refOf))
    const leases = doubtful
    doubtful = []
    if (!leases.length) return
    try {
      await closeLeases(sql, leases).catch((error: { code?: string }) => (error.code === CLOSED ? closeOneByOne(leases) : Promise.reject(error)))
    } catch (error) {
      doubtful.push(...leases)
      throw error
    }
  }
  const closeOneByOne = async (leases: readonly LeaseRef[]) => {
    for (const lease of leases)
      await closeLeases(sql, [lease]).catch((error: { code?: string }) => (error.code === CLOSED ? forgetLease(sql, lease) : Promise.reject(error)))
  }
  const giveBack = async (purse: Purse, amount: Nano) => {
    purse.free = minus(purse.free, amount)
    purse.low = purse.free
    await shrinkLease(sql, refOf(purse), amount)
  }

  return {
    admit,
    free: (accountId) => refused.get(accountId)?.free ?? byAccount.get(accountId)?.free ?? 0n,
    end: (leaseId, held, used) => {
      const purse = byLease.get(leaseId)
      if (!purse) return
      purse.open--
      purse.onTheWay++
      purse.free = plus(purse.free, minus(held, used))
      purse.spent = plus(purse.spent, used)
      purse.lastUse = now()
      if (purse.waiters.length && !purse.drawing) grant(purse)
    },
    giveBack: (leaseId, amount) => {
      const purse = byLease.get(leaseId)
      if (!purse) return
      purse.open--
      purse.free = plus(purse.free, amount)
      purse.lastUse = now()
      if (purse.waiters.length && !purse.drawing) grant(purse)
      else if (!purse.open && !purse.onTheWay && byAccount.get(purse.accountId) !== purse) byLease.delete(leaseId)
    },
    posted: (leaseId) => {
      const purse = byLease.get(leaseId)
      if (!purse) return
      purse.onTheWay--
      if (purse.open || purse.onTheWay) return
      if (purse.free < 0n) purse.free = 0n // taken beyond the lease; the wallet found it elsewhere
      if (byAccount.get(purse.accountId) !== purse) byLease.delete(leaseId)
    },
    recall: (accountId) => {
      const purse = byAccount.get(accountId)
      if (!purse || purse.state !== 'ready') return
      purse.tightUntil = now() + TIGHT_MS
      purse.chunk = 0n
      const work = isStill(purse) ? close([purse]) : purse.free > 0n && !purse.drawing ? giveBack(purse, purse.free) : undefined
      work?.catch((error: unknown) => log.warn({ err: error }, 'lease could not be given back'))
    },
    tend: async () => {
      const at = now()
      const idle: Purse[] = []
      for (const purse of byAccount.values()) {
        if (isStill(purse) && at - purse.lastUse > IDLE_MS) {
          if (idle.length < 200) idle.push(purse)
          continue
        }
        if (purse.state !== 'ready' || purse.drawing) continue
        const surplus = surplusOf(purse, at)
        if (surplus > 0n) await giveBack(purse, surplus)
        if (at - purse.renewedAt > RENEW_MS) {
          purse.renewedAt = at
          await extendLease(sql, refOf(purse))
        }
      }
      await close(idle)
    },
    loseAll: () => {
      for (const purse of [...byAccount.values()]) detach(purse)
    },
    closeAll: async () => {
      await close([...byAccount.values()].filter(isStill))
    },
  }
}
