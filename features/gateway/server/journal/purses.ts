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

interface State {
  readonly sql: Sql
  readonly node: string
  readonly log: Log
  readonly now: () => number
  readonly byAccount: Map<bigint, Purse>
  readonly byLease: Map<bigint, Purse>
  readonly refused: Map<bigint, { amount: Nano; until: number; free: Nano }>
  /** Leases whose end, or whose beginning, may not have reached the database. */
  doubtful: LeaseRef[]
}

export function createPurses(sql: Sql, node: string, log: Log, now: () => number = Date.now): Purses {
  const s: State = { sql, node, log, now, byAccount: new Map(), byLease: new Map(), refused: new Map(), doubtful: [] }
  return {
    admit: (key, amount, least) => admit(s, key, amount, least),
    free: (accountId) => s.refused.get(accountId)?.free ?? s.byAccount.get(accountId)?.free ?? 0n,
    end: (leaseId, held, used) => end(s, leaseId, held, used),
    giveBack: (leaseId, amount) => giveBack(s, leaseId, amount),
    posted: (leaseId) => posted(s, leaseId),
    recall: (accountId) => recallHere(s, accountId),
    tend: () => tend(s),
    loseAll: () => {
      for (const purse of [...s.byAccount.values()]) detach(s, purse)
    },
    closeAll: () => close(s, [...s.byAccount.values()].filter(isStill)),
  }
}

function admit(s: State, key: ApiKey, amount: Nano, least: Nano = amount): Lease | Refusal | Promise<Lease | Refusal> {
  const purse = purseOf(s, key)
  purse.lastUse = s.now()
  if (!purse.waiters.length && purse.state === 'ready' && purse.free >= (least === amount ? amount : times(amount, 2))) return take(purse, amount)
  const no = s.refused.get(key.accountId)
  if (no && least >= no.amount && no.until > purse.lastUse && purse.free < least && !purse.drawing) {
    if (purse.state === 'none') detach(s, purse)
    return 'insufficient_balance'
  }
  return new Promise<Lease | Refusal>((answer) => {
    purse.waiters.push({ amount, least, answer })
    if (!purse.drawing) void draw(s, purse)
  })
}

function end(s: State, leaseId: bigint, held: Nano, used: Nano): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.open--
  purse.onTheWay++
  purse.free = plus(purse.free, minus(held, used))
  purse.spent = plus(purse.spent, used)
  purse.lastUse = s.now()
  if (purse.waiters.length && !purse.drawing) grant(purse)
}

function giveBack(s: State, leaseId: bigint, amount: Nano): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.open--
  purse.free = plus(purse.free, amount)
  purse.lastUse = s.now()
  if (purse.waiters.length && !purse.drawing) grant(purse)
  else if (!purse.open && !purse.onTheWay && s.byAccount.get(purse.accountId) !== purse) s.byLease.delete(leaseId)
}

function posted(s: State, leaseId: bigint): void {
  const purse = s.byLease.get(leaseId)
  if (!purse) return
  purse.onTheWay--
  if (purse.open || purse.onTheWay) return
  if (purse.free < 0n) purse.free = 0n // taken beyond the lease; the wallet found it elsewhere
  if (s.byAccount.get(purse.accountId) !== purse) s.byLease.delete(leaseId)
}

function recallHere(s: State, accountId: bigint): void {
  const purse = s.byAccount.get(accountId)
  if (!purse || purse.state !== 'ready') return
  purse.tightUntil = s.now() + TIGHT_MS
  purse.chunk = 0n
  const work = isStill(purse) ? close(s, [purse]) : purse.free > 0n && !purse.drawing ? shrink(s, purse, purse.free) : undefined
  work?.catch((error: unknown) => s.log.warn({ err: error }, 'lease could not be given back'))
}

async function tend(s: State): Promise<void> {
  const at = s.now()
  const idle: Purse[] = []
  for (const purse of s.byAccount.values()) {
    if (isStill(purse) && at - purse.lastUse > IDLE_MS) {
      if (idle.length < 200) idle.push(purse)
      continue
    }
    if (purse.state !== 'ready' || purse.drawing) continue
    const surplus = surplusOf(purse, at)
    if (surplus > 0n) await shrink(s, purse, surplus)
    if (at - purse.renewedAt > RENEW_MS) {
      purse.renewedAt = at
      await extendLease(s.sql, refOf(purse))
    }
  }
  await close(s, idle)
}

function purseOf(s: State, key: ApiKey): Purse {
  const known = s.byAccount.get(key.accountId)
  if (known) return known
  const purse = newPurse(key, s.now())
  s.byAccount.set(key.accountId, purse)
  s.byLease.set(purse.lease.leaseId, purse)
  return purse
}

function detach(s: State, purse: Purse): void {
  if (s.byAccount.get(purse.accountId) === purse) s.byAccount.delete(purse.accountId)
  if (!purse.open && !purse.onTheWay) s.byLease.delete(purse.lease.leaseId)
}

/** One draw at a time an account; everybody who waits shares it. */
async function draw(s: State, purse: Purse): Promise<void> {
  purse.drawing = true
  try {
    await drawForAll(s, purse)
  } catch (error) {
    drawFailed(s, purse, error as Error)
  } finally {
    purse.drawing = false
    if (purse.state === 'none' && s.byAccount.get(purse.accountId) === purse) detach(s, purse)
  }
}

async function drawForAll(s: State, purse: Purse): Promise<void> {
  let recalled = false
  while (purse.waiters.length) {
    const { amount, least: floor } = purse.waiters[0]!
    // Never nothing: who can be served from what is here still wants to know what is beyond it.
    const min = atLeast(minus(floor, purse.free), 1n)
    const wanted = atLeast(min, minus(sum(purse.waiters.map((waiter) => waiter.amount)), purse.free))
    const spare = s.now() < purse.tightUntil ? 0n : atLeast(times(amount, SPARE_CALLS), purse.chunk)
    const drawn = await request(s, purse, min, wanted, spare)
    purse.free = plus(purse.free, drawn.amount)
    purse.beyond = drawn.left
    // Doubles while it is used up quickly; falls back to nothing when idle.
    if (drawn.amount > 0n) purse.chunk = atLeast(spare, times(least(purse.spent, purse.chunk), 2))
    grant(purse)
    const next = purse.waiters[0]
    if (!next || drawn.amount > 0n) continue
    if (drawn.others && !recalled) {
      recalled = true
      await recallOthers(s, purse)
      continue
    }
    if (s.refused.size > 10_000) s.refused.clear()
    s.refused.set(purse.accountId, { amount: next.least, until: s.now() + REFUSED_MS, free: plus(purse.free, purse.beyond) })
    refuse(purse, next.least, 'insufficient_balance')
  }
}

/** Other processes are asked for what they do not need of this account's money, and given a moment. */
async function recallOthers(s: State, purse: Purse): Promise<void> {
  purse.tightUntil = s.now() + TIGHT_MS
  await recall(s.sql, purse.accountId, s.node)
  await new Promise((done) => {
    setTimeout(done, RECALL_WAIT_MS)
  })
  grant(purse)
}

/** Whoever waits is told, but where only the lease was closed meanwhile: then a new one is asked. */
function drawFailed(s: State, purse: Purse, error: Error): void {
  s.log.warn({ err: error, accountId: purse.accountId.toString() }, 'no money could be drawn for calls')
  const waiters = purse.waiters
  purse.waiters = []
  if (purse.state === 'none') s.doubtful.push(refOf(purse))
  if (error.message !== 'HOLD_CLOSED') {
    for (const waiter of waiters) waiter.answer('unavailable')
    return
  }
  detach(s, purse)
  const key: ApiKey = { keyId: '', userId: purse.userId, accountId: purse.accountId, onDisconnect: 'abort' }
  for (const waiter of waiters) void Promise.resolve(admit(s, key, waiter.amount, waiter.least)).then(waiter.answer)
}

async function request(s: State, purse: Purse, min: Nano, wanted: Nano, spare: Nano): Promise<Drawn> {
  const ask = { leaseId: purse.lease.leaseId, accountId: purse.accountId, node: s.node, min, wanted, spare }
  purse.renewedAt = s.now()
  if (purse.state === 'ready') return growLease(s.sql, ask)
  const drawn = await openLease(s.sql, ask)
  if (drawn.amount > 0n) purse.state = 'ready'
  return drawn
}

/** Removes the purse first, so that nobody promises from it while it is given back. */
async function close(s: State, purses: readonly Purse[]): Promise<void> {
  for (const purse of purses) {
    purse.state = 'closing'
    purse.free = 0n
    detach(s, purse)
  }
  s.doubtful.push(...purses.map(refOf))
  const leases = s.doubtful
  s.doubtful = []
  if (!leases.length) return
  try {
    await closeLeases(s.sql, leases).catch((error: { code?: string }) => (error.code === CLOSED ? closeOneByOne(s, leases) : Promise.reject(error)))
  } catch (error) {
    s.doubtful.push(...leases)
    throw error
  }
}

async function closeOneByOne(s: State, leases: readonly LeaseRef[]): Promise<void> {
  for (const lease of leases)
    await closeLeases(s.sql, [lease]).catch((error: { code?: string }) => (error.code === CLOSED ? forgetLease(s.sql, lease) : Promise.reject(error)))
}

async function shrink(s: State, purse: Purse, amount: Nano): Promise<void> {
  purse.free = minus(purse.free, amount)
  purse.low = purse.free
  await shrinkLease(s.sql, refOf(purse), amount)
}
