import { atLeast, least, minus, plus, sum, times } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import type { ApiKey, Lease, Refusal } from '../hot/deps.ts'
import { grant, isStill, newPurse, refuse, surplusOf, take } from './purse.ts'
import type { Purse } from './purse.ts'
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

export const createPurses = (sql: Sql, node: string, log: Log, now: () => number = Date.now): Purses => new HeldPurses(sql, node, log, now)

class HeldPurses implements Purses {
  readonly #sql: Sql
  readonly #node: string
  readonly #log: Log
  readonly #now: () => number
  readonly #byAccount = new Map<bigint, Purse>()
  readonly #byLease = new Map<bigint, Purse>()
  readonly #refused = new Map<bigint, { amount: Nano; until: number; free: Nano }>()
  /** Leases whose end, or whose beginning, may not have reached the database. */
  #doubtful: LeaseRef[] = []

  constructor(sql: Sql, node: string, log: Log, now: () => number) {
    this.#sql = sql
    this.#node = node
    this.#log = log
    this.#now = now
  }

  admit(key: ApiKey, amount: Nano, least: Nano = amount): Lease | Refusal | Promise<Lease | Refusal> {
    const purse = this.#purseOf(key)
    purse.lastUse = this.#now()
    if (!purse.waiters.length && purse.state === 'ready' && purse.free >= (least === amount ? amount : times(amount, 2))) return take(purse, amount)
    const no = this.#refused.get(key.accountId)
    if (no && least >= no.amount && no.until > purse.lastUse && purse.free < least && !purse.drawing) {
      if (purse.state === 'none') this.#detach(purse)
      return 'insufficient_balance'
    }
    return new Promise<Lease | Refusal>((answer) => {
      purse.waiters.push({ amount, least, answer })
      if (!purse.drawing) void this.#draw(purse)
    })
  }

  free(accountId: bigint): Nano {
    return this.#refused.get(accountId)?.free ?? this.#byAccount.get(accountId)?.free ?? 0n
  }

  end(leaseId: bigint, held: Nano, used: Nano): void {
    const purse = this.#byLease.get(leaseId)
    if (!purse) return
    purse.open--
    purse.onTheWay++
    purse.free = plus(purse.free, minus(held, used))
    purse.spent = plus(purse.spent, used)
    purse.lastUse = this.#now()
    if (purse.waiters.length && !purse.drawing) grant(purse)
  }

  giveBack(leaseId: bigint, amount: Nano): void {
    const purse = this.#byLease.get(leaseId)
    if (!purse) return
    purse.open--
    purse.free = plus(purse.free, amount)
    purse.lastUse = this.#now()
    if (purse.waiters.length && !purse.drawing) grant(purse)
    else if (!purse.open && !purse.onTheWay && this.#byAccount.get(purse.accountId) !== purse) this.#byLease.delete(leaseId)
  }

  posted(leaseId: bigint): void {
    const purse = this.#byLease.get(leaseId)
    if (!purse) return
    purse.onTheWay--
    if (purse.open || purse.onTheWay) return
    if (purse.free < 0n) purse.free = 0n // taken beyond the lease; the wallet found it elsewhere
    if (this.#byAccount.get(purse.accountId) !== purse) this.#byLease.delete(leaseId)
  }

  recall(accountId: bigint): void {
    const purse = this.#byAccount.get(accountId)
    if (!purse || purse.state !== 'ready') return
    purse.tightUntil = this.#now() + TIGHT_MS
    purse.chunk = 0n
    const work = isStill(purse) ? this.#close([purse]) : purse.free > 0n && !purse.drawing ? this.#shrink(purse, purse.free) : undefined
    work?.catch((error: unknown) => this.#log.warn({ err: error }, 'lease could not be given back'))
  }

  async tend(): Promise<void> {
    const at = this.#now()
    const idle: Purse[] = []
    for (const purse of this.#byAccount.values()) {
      if (isStill(purse) && at - purse.lastUse > IDLE_MS) {
        if (idle.length < 200) idle.push(purse)
        continue
      }
      if (purse.state !== 'ready' || purse.drawing) continue
      const surplus = surplusOf(purse, at)
      if (surplus > 0n) await this.#shrink(purse, surplus)
      if (at - purse.renewedAt > RENEW_MS) {
        purse.renewedAt = at
        await extendLease(this.#sql, refOf(purse))
      }
    }
    await this.#close(idle)
  }

  loseAll(): void {
    for (const purse of [...this.#byAccount.values()]) this.#detach(purse)
  }

  async closeAll(): Promise<void> {
    await this.#close([...this.#byAccount.values()].filter(isStill))
  }

  #purseOf(key: ApiKey): Purse {
    const known = this.#byAccount.get(key.accountId)
    if (known) return known
    const purse = newPurse(key, this.#now())
    this.#byAccount.set(key.accountId, purse)
    this.#byLease.set(purse.lease.leaseId, purse)
    return purse
  }

  #detach(purse: Purse): void {
    if (this.#byAccount.get(purse.accountId) === purse) this.#byAccount.delete(purse.accountId)
    if (!purse.open && !purse.onTheWay) this.#byLease.delete(purse.lease.leaseId)
  }

  /** One draw at a time an account; everybody who waits shares it. */
  async #draw(purse: Purse): Promise<void> {
    purse.drawing = true
    try {
      await this.#drawForAll(purse)
    } catch (error) {
      this.#drawFailed(purse, error as Error)
    } finally {
      purse.drawing = false
      if (purse.state === 'none' && this.#byAccount.get(purse.accountId) === purse) this.#detach(purse)
    }
  }

  async #drawForAll(purse: Purse): Promise<void> {
    let recalled = false
    while (purse.waiters.length) {
      const { amount, least: floor } = purse.waiters[0]!
      // Never nothing: who can be served from what is here still wants to know what is beyond it.
      const min = atLeast(minus(floor, purse.free), 1n)
      const wanted = atLeast(min, minus(sum(purse.waiters.map((waiter) => waiter.amount)), purse.free))
      const spare = this.#now() < purse.tightUntil ? 0n : atLeast(times(amount, SPARE_CALLS), purse.chunk)
      const drawn = await this.#request(purse, min, wanted, spare)
      purse.free = plus(purse.free, drawn.amount)
      purse.beyond = drawn.left
      // Doubles while it is used up quickly; falls back to nothing when idle.
      if (drawn.amount > 0n) purse.chunk = atLeast(spare, times(least(purse.spent, purse.chunk), 2))
      grant(purse)
      const next = purse.waiters[0]
      if (!next || drawn.amount > 0n) continue
      if (drawn.others && !recalled) {
        recalled = true
        await this.#recallOthers(purse)
        continue
      }
      if (this.#refused.size > 10_000) this.#refused.clear()
      this.#refused.set(purse.accountId, { amount: next.least, until: this.#now() + REFUSED_MS, free: plus(purse.free, purse.beyond) })
      refuse(purse, next.least, 'insufficient_balance')
    }
  }

  /** Other processes are asked for what they do not need of this account's money, and given a moment. */
  async #recallOthers(purse: Purse): Promise<void> {
    purse.tightUntil = this.#now() + TIGHT_MS
    await recall(this.#sql, purse.accountId, this.#node)
    await new Promise((done) => {
      setTimeout(done, RECALL_WAIT_MS)
    })
    grant(purse)
  }

  /** Whoever waits is told, but where only the lease was closed meanwhile: then a new one is asked. */
  #drawFailed(purse: Purse, error: Error): void {
    this.#log.warn({ err: error, accountId: purse.accountId.toString() }, 'no money could be drawn for calls')
    const waiters = purse.waiters
    purse.waiters = []
    if (purse.state === 'none') this.#doubtful.push(refOf(purse))
    if (error.message !== 'HOLD_CLOSED') {
      for (const waiter of waiters) waiter.answer('unavailable')
      return
    }
    this.#detach(purse)
    const key: ApiKey = { keyId: '', userId: purse.userId, accountId: purse.accountId, onDisconnect: 'abort' }
    for (const waiter of waiters) void Promise.resolve(this.admit(key, waiter.amount, waiter.least)).then(waiter.answer)
  }

  async #request(purse: Purse, min: Nano, wanted: Nano, spare: Nano): Promise<Drawn> {
    const ask = { leaseId: purse.lease.leaseId, accountId: purse.accountId, node: this.#node, min, wanted, spare }
    purse.renewedAt = this.#now()
    if (purse.state === 'ready') return growLease(this.#sql, ask)
    const drawn = await openLease(this.#sql, ask)
    if (drawn.amount > 0n) purse.state = 'ready'
    return drawn
  }

  /** Removes the purse first, so that nobody promises from it while it is given back. */
  async #close(purses: readonly Purse[]): Promise<void> {
    for (const purse of purses) {
      purse.state = 'closing'
      purse.free = 0n
      this.#detach(purse)
    }
    this.#doubtful.push(...purses.map(refOf))
    const leases = this.#doubtful
    this.#doubtful = []
    if (!leases.length) return
    try {
      await closeLeases(this.#sql, leases).catch((error: { code?: string }) => (error.code === CLOSED ? this.#closeOneByOne(leases) : Promise.reject(error)))
    } catch (error) {
      this.#doubtful.push(...leases)
      throw error
    }
  }

  async #closeOneByOne(leases: readonly LeaseRef[]): Promise<void> {
    for (const lease of leases)
      await closeLeases(this.#sql, [lease]).catch((error: { code?: string }) => (error.code === CLOSED ? forgetLease(this.#sql, lease) : Promise.reject(error)))
  }

  async #shrink(purse: Purse, amount: Nano): Promise<void> {
    purse.free = minus(purse.free, amount)
    purse.low = purse.free
    await shrinkLease(this.#sql, refOf(purse), amount)
  }
}
