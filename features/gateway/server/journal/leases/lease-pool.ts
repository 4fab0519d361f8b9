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
      for (const accountLease of s.byLease.values()) accountLease.isLost = true
      for (const accountLease of [...s.byAccount.values()]) detach(s, accountLease)
    },
    isLost: (leaseId) => s.byLease.get(leaseId)?.isLost ?? false,
    closeAll: () => close(s, [...s.byAccount.values()].filter(isLeaseIdle)),
  }
}

function admit(s: LeasePoolState, key: ApiKey, { amount, least }: WantedFunds): Lease | FundsRefusal | Promise<Lease | FundsRefusal> {
  const accountLease = getAccountLease(s, key)
  accountLease.lastUse = s.now()
  if (!accountLease.waiters.length && accountLease.state === 'ready' && accountLease.free >= (least === amount ? amount : multiplyNano(amount, 2)))
    return promiseAmount(accountLease, amount)
  const no = s.refused.get(key.accountId)
  if (no && least >= no.amount && no.until > accountLease.lastUse && accountLease.free < least && !accountLease.drawing) {
    if (accountLease.state === 'none') detach(s, accountLease)
    return 'insufficient_balance'
  }
  return new Promise<Lease | FundsRefusal>((answer) => {
    accountLease.waiters.push({ amount, least, answer })
    if (!accountLease.drawing) void drawForLease(s, accountLease, admit)
  })
}

function endCall(s: LeasePoolState, leaseId: bigint, { held, used }: { readonly held: Nano; readonly used: Nano }): void {
  const accountLease = s.byLease.get(leaseId)
  if (!accountLease) return
  accountLease.open--
  accountLease.onTheWay++
  accountLease.free = addNano(accountLease.free, subtractNano(held, used))
  accountLease.spent = addNano(accountLease.spent, used)
  accountLease.lastUse = s.now()
  if (accountLease.waiters.length && !accountLease.drawing) grantWaiting(accountLease)
}

function returnAmount(s: LeasePoolState, leaseId: bigint, amount: Nano): void {
  const accountLease = s.byLease.get(leaseId)
  if (!accountLease) return
  accountLease.open--
  accountLease.free = addNano(accountLease.free, amount)
  accountLease.lastUse = s.now()
  if (accountLease.waiters.length && !accountLease.drawing) grantWaiting(accountLease)
  else dropIfUnused(s, accountLease)
}

function splitPromise(s: LeasePoolState, leaseId: bigint): void {
  const accountLease = s.byLease.get(leaseId)
  if (accountLease) accountLease.open++
}

function handlePosted(s: LeasePoolState, leaseId: bigint): void {
  const accountLease = s.byLease.get(leaseId)
  if (!accountLease) return
  accountLease.onTheWay--
  if (accountLease.open || accountLease.onTheWay) return
  if (accountLease.free < 0n) accountLease.free = 0n // captured beyond the lease; the wallet covered the rest otherwise
  dropIfUnused(s, accountLease)
}

function handleRecall(s: LeasePoolState, accountId: bigint): void {
  const accountLease = s.byAccount.get(accountId)
  if (!accountLease || accountLease.state !== 'ready') return
  accountLease.tightUntil = s.now() + TIGHT_MS
  accountLease.chunk = 0n
  const work = isLeaseIdle(accountLease)
    ? close(s, [accountLease])
    : accountLease.free > 0n && !accountLease.drawing
      ? shrink(s, accountLease, accountLease.free)
      : undefined
  work?.catch((error: unknown) => s.log.warn({ err: error }, 'lease could not be given back'))
}

async function tendLeases(s: LeasePoolState): Promise<void> {
  const at = s.now()
  const idle: AccountLease[] = []
  for (const accountLease of s.byAccount.values()) {
    if (isLeaseIdle(accountLease) && at - accountLease.lastUse > IDLE_MS) {
      if (idle.length < 200) idle.push(accountLease)
      continue
    }
    if (accountLease.state !== 'ready' || accountLease.drawing) continue
    const surplus = measureSurplus(accountLease, at)
    if (surplus > 0n) await shrink(s, accountLease, surplus)
    if (at - accountLease.renewedAt > RENEW_MS) {
      accountLease.renewedAt = at
      await extendLease(s.sql, toLeaseRef(accountLease))
    }
  }
  await close(s, idle)
}

function getAccountLease(s: LeasePoolState, key: ApiKey): AccountLease {
  const known = s.byAccount.get(key.accountId)
  if (known) return known
  const accountLease = createAccountLease(key, s.now())
  s.byAccount.set(key.accountId, accountLease)
  s.byLease.set(accountLease.lease.leaseId, accountLease)
  return accountLease
}

/** Removes the leases locally first, so that no call is promised money that is being returned. */
async function close(s: LeasePoolState, accountLeases: readonly AccountLease[]): Promise<void> {
  for (const accountLease of accountLeases) {
    accountLease.state = 'closing'
    accountLease.free = 0n
    detach(s, accountLease)
  }
  s.doubtful.push(...accountLeases.map(toLeaseRef))
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

async function shrink(s: LeasePoolState, accountLease: AccountLease, amount: Nano): Promise<void> {
  accountLease.free = subtractNano(accountLease.free, amount)
  accountLease.low = accountLease.free
  await shrinkLease(s.sql, toLeaseRef(accountLease), amount)
}
