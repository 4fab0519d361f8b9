import { maxNano, minNano, subtractNano, addNano, sumNano, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import type { ApiKey, Lease, FundsRefusal } from '../../hot/deps.ts'
import type { LeaseRef } from '../data-posting.ts'
import { growLease, openLease, notifyLeaseRecall } from './data-leases.ts'
import type { LeaseDraw } from './data-leases.ts'
import { withWriteTimeout } from '../writing/database-errors.ts'
import { grantWaiting, refuseWaiting } from './account-lease.ts'
import type { AccountLease } from './account-lease.ts'

/** The wallet's error code for a hold that has ended. */
const HOLD_CLOSED = 'HOLD_CLOSED'
export const TIGHT_MS = 3000
const RECALL_WAIT_MS = 250
/** A refused account is not queried again within this time for as much or more. */
const REFUSED_MS = 100
const SPARE_CALLS = 4
export const toLeaseRef = (accountLease: AccountLease): LeaseRef => ({ accountId: accountLease.accountId, leaseId: accountLease.lease.leaseId })

export interface LeasePoolState {
  readonly sql: Sql
  readonly node: () => string
  readonly log: Log
  /** Longest wait of a call for money to be drawn. */
  readonly refuseMs: number
  readonly now: () => number
  readonly byAccount: Map<bigint, AccountLease>
  readonly byLease: Map<bigint, AccountLease>
  readonly refused: Map<bigint, { amount: Nano; until: number; free: Nano }>
  /** Leases whose end or start may not have reached the database. */
  doubtful: LeaseRef[]
}

/** The amount of a call, and the least of it that the call accepts. */
export interface WantedFunds {
  readonly amount: Nano
  readonly least: Nano
}

/** Requests money again, from the start. */
type Admit = (s: LeasePoolState, key: ApiKey, wanted: WantedFunds) => Lease | FundsRefusal | Promise<Lease | FundsRefusal>

/** Detaches a lease from its account: it serves no new calls. */
export function detach(s: LeasePoolState, accountLease: AccountLease): void {
  if (s.byAccount.get(accountLease.accountId) === accountLease) s.byAccount.delete(accountLease.accountId)
  dropIfUnused(s, accountLease)
}

/**
 * Drops a detached lease after its last call. The lease may still exist in the database if this process was considered dead and came back:
 * money drawn at that moment is under the name of a living process, which no sweeper touches.
 */
export function dropIfUnused(s: LeasePoolState, accountLease: AccountLease): void {
  if (s.byAccount.get(accountLease.accountId) === accountLease || accountLease.open || accountLease.onTheWay || accountLease.drawing) return
  if (s.byLease.delete(accountLease.lease.leaseId) && accountLease.state === 'ready') s.doubtful.push(toLeaseRef(accountLease))
}

/** Draws money; concurrent callers share one draw per account. */
export async function drawForLease(s: LeasePoolState, accountLease: AccountLease, again: Admit): Promise<void> {
  accountLease.drawing = true
  try {
    await drawForWaiters(s, accountLease)
  } catch (error) {
    handleDrawFailure(s, accountLease, { error: error as Error, again })
  } finally {
    accountLease.drawing = false
    if (accountLease.state === 'none') detach(s, accountLease)
    else dropIfUnused(s, accountLease)
  }
}

async function drawForWaiters(s: LeasePoolState, accountLease: AccountLease): Promise<void> {
  let recalled = false
  while (accountLease.waiters.length) {
    const { amount, least: floor } = accountLease.waiters[0]!
    // At least 1: even if the lease can serve the waiting calls, the draw reports the balance beyond it.
    const min = maxNano(subtractNano(floor, accountLease.free), 1n)
    const wanted = maxNano(min, subtractNano(sumNano(accountLease.waiters.map((waiter) => waiter.amount)), accountLease.free))
    const spare = s.now() < accountLease.tightUntil ? 0n : maxNano(multiplyNano(amount, SPARE_CALLS), accountLease.chunk)
    const drawn = await requestFunds(s, accountLease, { min, wanted, spare })
    // The node was declared dead meanwhile: the drawn money is returned with its lease, and callers are served from a new one.
    if (accountLease.isLost) throw new Error(HOLD_CLOSED)
    accountLease.free = addNano(accountLease.free, drawn.amount)
    accountLease.beyond = drawn.left
    // Doubles while it is used up quickly; drops to zero when idle.
    if (drawn.amount > 0n) accountLease.chunk = maxNano(spare, multiplyNano(minNano(accountLease.spent, accountLease.chunk), 2))
    grantWaiting(accountLease)
    const next = accountLease.waiters[0]
    if (!next || drawn.amount > 0n) continue
    if (drawn.others && !recalled) {
      recalled = true
      await recallOthers(s, accountLease)
      continue
    }
    if (s.refused.size > 10_000) s.refused.clear()
    s.refused.set(accountLease.accountId, { amount: next.least, until: s.now() + REFUSED_MS, free: addNano(accountLease.free, accountLease.beyond) })
    refuseWaiting(accountLease, next.least, 'insufficient_balance')
  }
}

/** Requests unused money of this account from other processes, and waits a moment for it. */
async function recallOthers(s: LeasePoolState, accountLease: AccountLease): Promise<void> {
  accountLease.tightUntil = s.now() + TIGHT_MS
  await notifyLeaseRecall(s.sql, accountLease.accountId, s.node())
  await new Promise((done) => {
    setTimeout(done, RECALL_WAIT_MS)
  })
  grantWaiting(accountLease)
}

/** Refuses the waiting calls or, if only the lease was closed meanwhile, draws a new one. */
function handleDrawFailure(s: LeasePoolState, accountLease: AccountLease, { error, again }: { readonly error: Error; readonly again: Admit }): void {
  s.log.warn({ err: error, accountId: accountLease.accountId.toString() }, 'no money could be drawn for calls')
  const waiters = accountLease.waiters
  accountLease.waiters = []
  if (accountLease.state === 'none') s.doubtful.push(toLeaseRef(accountLease))
  if (error.message !== HOLD_CLOSED && !accountLease.isLost) {
    for (const waiter of waiters) waiter.answer('unavailable')
    return
  }
  detach(s, accountLease)
  const key: ApiKey = { keyId: '', userId: accountLease.userId, accountId: accountLease.accountId, onDisconnect: 'abort' }
  for (const waiter of waiters) void Promise.resolve(again(s, key, waiter)).then(waiter.answer)
}

async function requestFunds(
  s: LeasePoolState,
  accountLease: AccountLease,
  { min, wanted, spare }: { readonly min: Nano; readonly wanted: Nano; readonly spare: Nano },
): Promise<LeaseDraw> {
  const ask = { leaseId: accountLease.lease.leaseId, accountId: accountLease.accountId, node: s.node(), min, wanted, spare }
  accountLease.renewedAt = s.now()
  if (accountLease.state === 'ready') return withWriteTimeout(s.refuseMs, growLease(s.sql, ask))
  const opening = openLease(s.sql, ask)
  const drawn = await withWriteTimeout(s.refuseMs, opening).catch((error: unknown) => {
    // the lease was opened although no call waits for it any more: close it
    const close = () => void s.doubtful.push(toLeaseRef(accountLease))
    opening.then(close, () => {})
    throw error
  })
  if (drawn.amount > 0n) accountLease.state = 'ready'
  return drawn
}
