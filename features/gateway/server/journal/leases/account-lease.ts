import { randomBytes } from 'node:crypto'
import { maxNano, minNano, subtractNano, addNano, computePartShare, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Lease, FundsRefusal } from '../../hot/deps.ts'

/** A call that waits for money to be drawn. */
export interface Waiter {
  readonly amount: Nano
  /** Less than `amount` if the call can run with less. */
  readonly least: Nano
  readonly answer: (lease: Lease | FundsRefusal) => void
}

/** Local state of one account's lease. */
export interface AccountLease {
  readonly accountId: bigint
  readonly userId: string
  readonly lease: Lease
  /** `none` before the first draw and after the end; `busy` while a statement about it is under way. */
  state: 'none' | 'ready' | 'closing'
  /** True if its node was declared dead: it serves no new calls. */
  isLost: boolean
  free: Nano
  /** Balance of the account beyond its leases at the last draw: used for portions and refusals, never for promises. */
  beyond: Nano
  open: number
  onTheWay: number
  waiters: Waiter[]
  drawing: boolean
  lastUse: number
  renewedAt: number
  /** Spending and lowest free amount of the current window. */
  windowAt: number
  spent: Nano
  low: Nano
  chunk: Nano
  tightUntil: number
}

export function createAccountLease(key: ApiKey, at: number): AccountLease {
  return {
    accountId: key.accountId,
    userId: key.userId,
    lease: { leaseId: randomBytes(8).readBigUInt64BE() >> 2n },
    state: 'none',
    isLost: false,
    free: 0n,
    beyond: 0n,
    open: 0,
    onTheWay: 0,
    waiters: [],
    drawing: false,
    lastUse: at,
    renewedAt: at,
    windowAt: at,
    spent: 0n,
    low: 0n,
    chunk: 0n,
    tightUntil: 0,
  }
}

/** True if nothing of the lease is promised or unposted: it can be returned. */
export function isLeaseIdle(purse: AccountLease): boolean {
  return purse.state === 'ready' && !purse.drawing && !purse.open && !purse.onTheWay && !purse.waiters.length
}

/**
 * Computes the part of the free amount that a waiting call gets: all that it requests if the account has twice as much, else its minimum or
 * a quarter of the balance, whichever is more, so that concurrent calls get something too. Undefined: not enough.
 */
export function computePortion(purse: AccountLease, { amount, least: floor }: Omit<Waiter, 'answer'>): Nano | undefined {
  if (purse.free < floor) return undefined
  if (floor >= amount) return amount
  const there = addNano(purse.free, purse.beyond)
  const wanted = multiplyNano(amount, 2) <= there ? amount : minNano(amount, maxNano(computePartShare(there, 1n, 4n), floor))
  return minNano(wanted, purse.free)
}

const WINDOW_MS = 2000

/** Amount unused during a whole window, less the spending of that window; evaluated once per window. */
export function measureSurplus(purse: AccountLease, at: number): Nano {
  if (at - purse.windowAt <= WINDOW_MS) return 0n
  const surplus = subtractNano(purse.low, purse.spent)
  purse.windowAt = at
  purse.chunk = minNano(purse.chunk, multiplyNano(purse.spent, 2))
  purse.spent = 0n
  purse.low = purse.free
  return surplus <= purse.free ? surplus : 0n
}

/** Promises an amount to a call. */
export function promiseAmount(purse: AccountLease, amount: Nano): Lease {
  purse.free = subtractNano(purse.free, amount)
  if (purse.free < purse.low) purse.low = purse.free
  purse.open++
  return purse.lease
}

/** Serves waiting calls in order, as far as the money goes. */
export function grantWaiting(purse: AccountLease): void {
  for (let next = purse.waiters[0]; next; next = purse.waiters[0]) {
    const portion = computePortion(purse, next)
    if (portion === undefined) return
    purse.waiters.shift()
    const lease = promiseAmount(purse, portion)
    next.answer(portion === next.amount ? lease : { ...lease, granted: portion })
  }
}

/** Refuses waiting calls that need at least `from`; the others keep waiting. */
export function refuseWaiting(purse: AccountLease, from: Nano, why: FundsRefusal): void {
  const stay: Waiter[] = []
  for (const waiter of purse.waiters) {
    if (waiter.least >= from) waiter.answer(why)
    else stay.push(waiter)
  }
  purse.waiters = stay
}
