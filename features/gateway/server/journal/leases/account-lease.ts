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
export function isLeaseIdle(accountLease: AccountLease): boolean {
  return accountLease.state === 'ready' && !accountLease.drawing && !accountLease.open && !accountLease.onTheWay && !accountLease.waiters.length
}

/**
 * Computes the part of the free amount that a waiting call gets: all that it requests if the account has twice as much, else its minimum or
 * a quarter of the balance, whichever is more, so that concurrent calls get something too. Undefined: not enough.
 */
export function computePortion(accountLease: AccountLease, { amount, least: floor }: Omit<Waiter, 'answer'>): Nano | undefined {
  if (accountLease.free < floor) return undefined
  if (floor >= amount) return amount
  const there = addNano(accountLease.free, accountLease.beyond)
  const wanted = multiplyNano(amount, 2) <= there ? amount : minNano(amount, maxNano(computePartShare(there, 1n, 4n), floor))
  return minNano(wanted, accountLease.free)
}

const WINDOW_MS = 2000

/** Amount unused during a whole window, less the spending of that window; evaluated once per window. */
export function measureSurplus(accountLease: AccountLease, at: number): Nano {
  if (at - accountLease.windowAt <= WINDOW_MS) return 0n
  const surplus = subtractNano(accountLease.low, accountLease.spent)
  accountLease.windowAt = at
  accountLease.chunk = minNano(accountLease.chunk, multiplyNano(accountLease.spent, 2))
  accountLease.spent = 0n
  accountLease.low = accountLease.free
  return surplus <= accountLease.free ? surplus : 0n
}

/** Promises an amount to a call. */
export function promiseAmount(accountLease: AccountLease, amount: Nano): Lease {
  accountLease.free = subtractNano(accountLease.free, amount)
  if (accountLease.free < accountLease.low) accountLease.low = accountLease.free
  accountLease.open++
  return accountLease.lease
}

/** Serves waiting calls in order, as far as the money goes. */
export function grantWaiting(accountLease: AccountLease): void {
  for (let next = accountLease.waiters[0]; next; next = accountLease.waiters[0]) {
    const portion = computePortion(accountLease, next)
    if (portion === undefined) return
    accountLease.waiters.shift()
    const lease = promiseAmount(accountLease, portion)
    next.answer(portion === next.amount ? lease : { ...lease, granted: portion })
  }
}

/** Refuses waiting calls that need at least `from`; the others keep waiting. */
export function refuseWaiting(accountLease: AccountLease, from: Nano, why: FundsRefusal): void {
  const stay: Waiter[] = []
  for (const waiter of accountLease.waiters) {
    if (waiter.least >= from) waiter.answer(why)
    else stay.push(waiter)
  }
  accountLease.waiters = stay
}
