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
export const toLeaseRef = (purse: AccountLease): LeaseRef => ({ accountId: purse.accountId, leaseId: purse.lease.leaseId })

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
export function detach(s: LeasePoolState, purse: AccountLease): void {
  if (s.byAccount.get(purse.accountId) === purse) s.byAccount.delete(purse.accountId)
  dropIfUnused(s, purse)
}

/**
 * Drops a detached lease after its last call. The lease may still exist in the database if this process was considered dead and came back:
 * money drawn at that moment is under the name of a living process, which no sweeper touches.
 */
export function dropIfUnused(s: LeasePoolState, purse: AccountLease): void {
  if (s.byAccount.get(purse.accountId) === purse || purse.open || purse.onTheWay || purse.drawing) return
  if (s.byLease.delete(purse.lease.leaseId) && purse.state === 'ready') s.doubtful.push(toLeaseRef(purse))
}

/** Draws money; concurrent callers share one draw per account. */
export async function drawForLease(s: LeasePoolState, purse: AccountLease, again: Admit): Promise<void> {
  purse.drawing = true
  try {
    await drawForWaiters(s, purse)
  } catch (error) {
    handleDrawFailure(s, purse, { error: error as Error, again })
  } finally {
    purse.drawing = false
    if (purse.state === 'none') detach(s, purse)
    else dropIfUnused(s, purse)
  }
}

async function drawForWaiters(s: LeasePoolState, purse: AccountLease): Promise<void> {
  let recalled = false
  while (purse.waiters.length) {
    const { amount, least: floor } = purse.waiters[0]!
    // At least 1: even if the lease can serve the waiting calls, the draw reports the balance beyond it.
    const min = maxNano(subtractNano(floor, purse.free), 1n)
    const wanted = maxNano(min, subtractNano(sumNano(purse.waiters.map((waiter) => waiter.amount)), purse.free))
    const spare = s.now() < purse.tightUntil ? 0n : maxNano(multiplyNano(amount, SPARE_CALLS), purse.chunk)
    const drawn = await requestFunds(s, purse, { min, wanted, spare })
    // The node was declared dead meanwhile: the drawn money is returned with its lease, and callers are served from a new one.
    if (purse.isLost) throw new Error(HOLD_CLOSED)
    purse.free = addNano(purse.free, drawn.amount)
    purse.beyond = drawn.left
    // Doubles while it is used up quickly; drops to zero when idle.
    if (drawn.amount > 0n) purse.chunk = maxNano(spare, multiplyNano(minNano(purse.spent, purse.chunk), 2))
    grantWaiting(purse)
    const next = purse.waiters[0]
    if (!next || drawn.amount > 0n) continue
    if (drawn.others && !recalled) {
      recalled = true
      await recallOthers(s, purse)
      continue
    }
    if (s.refused.size > 10_000) s.refused.clear()
    s.refused.set(purse.accountId, { amount: next.least, until: s.now() + REFUSED_MS, free: addNano(purse.free, purse.beyond) })
    refuseWaiting(purse, next.least, 'insufficient_balance')
  }
}

/** Requests unused money of this account from other processes, and waits a moment for it. */
async function recallOthers(s: LeasePoolState, purse: AccountLease): Promise<void> {
  purse.tightUntil = s.now() + TIGHT_MS
  await notifyLeaseRecall(s.sql, purse.accountId, s.node())
  await new Promise((done) => {
    setTimeout(done, RECALL_WAIT_MS)
  })
  grantWaiting(purse)
}

/** Refuses the waiting calls or, if only the lease was closed meanwhile, draws a new one. */
function handleDrawFailure(s: LeasePoolState, purse: AccountLease, { error, again }: { readonly error: Error; readonly again: Admit }): void {
  s.log.warn({ err: error, accountId: purse.accountId.toString() }, 'no money could be drawn for calls')
  const waiters = purse.waiters
  purse.waiters = []
  if (purse.state === 'none') s.doubtful.push(toLeaseRef(purse))
  if (error.message !== HOLD_CLOSED && !purse.isLost) {
    for (const waiter of waiters) waiter.answer('unavailable')
    return
  }
  detach(s, purse)
  const key: ApiKey = { keyId: '', userId: purse.userId, accountId: purse.accountId, onDisconnect: 'abort' }
  for (const waiter of waiters) void Promise.resolve(again(s, key, waiter)).then(waiter.answer)
}

async function requestFunds(
  s: LeasePoolState,
  purse: AccountLease,
  { min, wanted, spare }: { readonly min: Nano; readonly wanted: Nano; readonly spare: Nano },
): Promise<LeaseDraw> {
  const ask = { leaseId: purse.lease.leaseId, accountId: purse.accountId, node: s.node(), min, wanted, spare }
  purse.renewedAt = s.now()
  if (purse.state === 'ready') return withWriteTimeout(s.refuseMs, growLease(s.sql, ask))
  const opening = openLease(s.sql, ask)
  const drawn = await withWriteTimeout(s.refuseMs, opening).catch((error: unknown) => {
    // the lease was opened although no call waits for it any more: close it
    const close = () => void s.doubtful.push(toLeaseRef(purse))
    opening.then(close, () => {})
    throw error
  })
  if (drawn.amount > 0n) purse.state = 'ready'
  return drawn
}
