import { subtractNano, addNano, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, Lease, FundsRefusal } from '../../hot/deps.ts'
import type { LeaseRef } from '../data-posting.ts'
import { closeLeases, extendLease, deleteLease, shrinkLease } from './data-leases.ts'
import { detach, drawForLease, dropIfUnused, toLeaseRef, TIGHT_MS } from './draw-lease.ts'
import type { LeasePoolState, WantedFunds } from './draw-lease.ts'
import { grantWaiting, isLeaseIdle, createAccountLease, measureSurplus, promiseAmount } from './account-lease.ts'
import type { AccountLease } from './account-lease.ts'

/**
 * Money that this process may promise without a query: one lease per account, drawn in chunks, returned when idle. For every lease: what
 * the wallet holds for it >= free + promised + what is on its way to the ledger. A capture never finds too little, and no two processes
 * promise the same cent.
 */
export interface LeasePool {
  /** Promises `amount`, or a part of at least `least` if the account does not have twice as much. */
  admit(key: ApiKey, amount: Nano, least?: Nano): Lease | FundsRefusal | Promise<Lease | FundsRefusal>
  /** Amount that a refused account could have been granted, as of its last draw. */
  free(accountId: bigint): Nano
  /** Ends a promise: posts `used` to the ledger and frees the rest. */
  end(leaseId: bigint, held: Nano, used: Nano): void
  /** Returns an admitted amount that was never promised to a call. */
  giveBack(leaseId: bigint, amount: Nano): void
  /** Splits one promise in two; each is ended or returned separately. */
  split(leaseId: bigint): void
  /** Reports that a charge's posting is durable. */
  posted(leaseId: bigint): void
  /** Returns unused money of this account because another process is short of it. */
  recall(accountId: bigint): void
  /** Runs a few times a second: returns idle money, renews old leases. */
  tend(): Promise<void>
  /** Marks all leases as lost because the node was declared dead: none of them serves a new call. */
  loseAll(): void
  /** True if the node was declared dead while it held this lease. */
  isLost(leaseId: bigint): boolean
  /** Returns everything that is not promised. */
  closeAll(): Promise<void>
}

const IDLE_MS = 1500
const RENEW_MS = 600_000
/** SQLSTATE of the wallet's refusals. */
const WALLET_REFUSAL = 'MX001'

/** `refuseMs`: longest wait of a call for money to be drawn. */
export type LeasePoolOptions = Pick<LeasePoolState, 'sql' | 'node' | 'log' | 'refuseMs'>

export function createLeasePool(options: LeasePoolOptions): LeasePool {
  const s: LeasePoolState = { ...options, now: Date.now, byAccount: new Map(), byLease: new Map(), refused: new Map(), doubtful: [] }
  return {
    admit: (key, amount, least = amount) => admit(s, key, { amount, least }),
    free: (accountId) => s.refused.get(accountId)?.free ?? s.byAccount.get(accountId)?.free ?? 0n,
    end: (leaseId, held, used) => endCall(s, leaseId, { held, used }),
    giveBack: (leaseId, amount) => returnAmount(s, leaseId, amount),
    split: (leaseId) => splitPromise(s, leaseId),
    posted: (leaseId) => handlePosted(s, leaseId),
    recall: (accountId) => handleRecall(s, accountId),
    tend: () => tendLeases(s),
    loseAll: () => {
      for (const purse of s.byLease.values()) purse.isLost = true
      for (const purse of [...s.byAccount.values()]) detach(s, purse)
    },
    isLost: (leaseId) => s.byLease.get(leaseId)?.isLost ?? false,
    closeAll: () => close(s, [...s.byAccount.values()].filter(isLeaseIdle)),
  }
}

function admit(s: LeasePoolState, key: ApiKey, { amount, least }: WantedFunds): Lease | FundsRefusal | Promise<Lease | FundsRefusal> {
  const purse = getAccountLease(s, key)
  purse.lastUse = s.now()
  if (!purse.waiters.length && purse.state === 'ready' && purse.free >= (least === amount ? amount : multiplyNano(amount, 2)))
    return promiseAmount(purse, amount)
  const no = s.refused.get(key.accountId)
  if (no && least >= no.amount && no.until > purse.lastUse && purse.free < least && !purse.drawing) {
    if (purse.state === 'none') detach(s, purse)
    return 'insufficient_balance'
  }
  return new Promise<Lease | FundsRefusal>((answer) => {
    purse.waiters.push({ amount, least, answer })
    if (!purse.drawing) void drawForLease(s, purse, admit)
  })
}

function endCall(s: LeasePoolState, leaseId: bigint, { held, used }: { readonly held: Nano; readonly used: Nano }): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.open--
  purse.onTheWay++
  purse.free = addNano(purse.free, subtractNano(held, used))
  purse.spent = addNano(purse.spent, used)
  purse.lastUse = s.now()
  if (purse.waiters.length && !purse.drawing) grantWaiting(purse)
}

function returnAmount(s: LeasePoolState, leaseId: bigint, amount: Nano): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.open--
  purse.free = addNano(purse.free, amount)
  purse.lastUse = s.now()
  if (purse.waiters.length && !purse.drawing) grantWaiting(purse)
  else dropIfUnused(s, purse)
}

function splitPromise(s: LeasePoolState, leaseId: bigint): void {
  const purse = s.byLease.get(leaseId)
  if (purse) purse.open++
}

function handlePosted(s: LeasePoolState, leaseId: bigint): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.onTheWay--
  if (purse.open || purse.onTheWay) return
  if (purse.free < 0n) purse.free = 0n // captured beyond the lease; the wallet covered the rest otherwise
  dropIfUnused(s, purse)
}

function handleRecall(s: LeasePoolState, accountId: bigint): void {
  const purse = s.byAccount.get(accountId)
  if (!purse || purse.state !== 'ready') return
  purse.tightUntil = s.now() + TIGHT_MS
  purse.chunk = 0n
  const work = isLeaseIdle(purse) ? close(s, [purse]) : purse.free > 0n && !purse.drawing ? shrink(s, purse, purse.free) : undefined
  work?.catch((error: unknown) => s.log.warn({ err: error }, 'lease could not be given back'))
}

async function tendLeases(s: LeasePoolState): Promise<void> {
  const at = s.now()
  const idle: AccountLease[] = []
  for (const purse of s.byAccount.values()) {
    if (isLeaseIdle(purse) && at - purse.lastUse > IDLE_MS) {
      if (idle.length < 200) idle.push(purse)
      continue
    }
    if (purse.state !== 'ready' || purse.drawing) continue
    const surplus = measureSurplus(purse, at)
    if (surplus > 0n) await shrink(s, purse, surplus)
    if (at - purse.renewedAt > RENEW_MS) {
      purse.renewedAt = at
      await extendLease(s.sql, toLeaseRef(purse))
    }
  }
  await close(s, idle)
}

function getAccountLease(s: LeasePoolState, key: ApiKey): AccountLease {
  const known = s.byAccount.get(key.accountId)
  if (known) return known
  const purse = createAccountLease(key, s.now())
  s.byAccount.set(key.accountId, purse)
  s.byLease.set(purse.lease.leaseId, purse)
  return purse
}

/** Removes the leases locally first, so that no call is promised money that is being returned. */
async function close(s: LeasePoolState, purses: readonly AccountLease[]): Promise<void> {
  for (const purse of purses) {
    purse.state = 'closing'
    purse.free = 0n
    detach(s, purse)
  }
  s.doubtful.push(...purses.map(toLeaseRef))
  const leases = s.doubtful
  s.doubtful = []
  if (!leases.length) return
  try {
    await closeLeases(s.sql, leases).catch((error: { code?: string }) => (error.code === WALLET_REFUSAL ? closeOneByOne(s, leases) : Promise.reject(error)))
  } catch (error) {
    s.doubtful.push(...leases)
    throw error
  }
}

async function closeOneByOne(s: LeasePoolState, leases: readonly LeaseRef[]): Promise<void> {
  for (const lease of leases)
    await closeLeases(s.sql, [lease]).catch((error: { code?: string }) => (error.code === WALLET_REFUSAL ? deleteLease(s.sql, lease) : Promise.reject(error)))
}

async function shrink(s: LeasePoolState, purse: AccountLease, amount: Nano): Promise<void> {
  purse.free = subtractNano(purse.free, amount)
  purse.low = purse.free
  await shrinkLease(s.sql, toLeaseRef(purse), amount)
}
