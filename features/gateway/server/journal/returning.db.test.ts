import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import type { ApiKey, ReservedCall } from '../hot/deps.ts'
import { createJournal } from './journal.ts'
import type { RunningJournal } from './journal.ts'
import { sweepDeadLeases } from './sweeping/sweeper.ts'
import type { CallOutcome } from './sweeping/sweeper.ts'
import { selectSumDiscrepancies } from '../usage/data-sums.ts'

// Tests that a process that was declared dead comes back: in memory here, with stopped and blocked processes in e2e/crash/gateway-pauses.
const log = createLog('silent')
const CENT = 10_000_000n
let db: Db & { url: string; owner: Db }
const running: RunningJournal[] = []

beforeAll(async () => {
  db = await useTestDb({ max: 20 })
})
afterEach(async () => {
  for (const journal of running.splice(0)) await journal.stop()
  expect(await db.query('select 1 from gateway_calls')).toEqual([])
  expect(await db.query('select 1 from gateway_leases')).toEqual([])
  await expectInvariants()
})

/**
 * Checks the ledger's invariants, and ours: rows add up to the sums of hours and days, to their lines, and by lease to the wallet's
 * captures less refunds by corrections.
 */
async function expectInvariants(): Promise<void> {
  expect((await verifyLedger(db.owner)).problems).toEqual([])
  for (const { day } of await db.query<{ day: string }>(`select distinct (started_at at time zone 'Asia/Shanghai')::date::text as day from gateway_usage`))
    expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
  const [lines] = await db.query(
    `select count(*) as n from gateway_usage u where amount <> (select coalesce(sum(u.lines[i]), 0) from generate_series(4, cardinality(u.lines), 4) i)`,
  )
  expect(lines!.n).toBe(0n)
  const wrong = await db.owner.query(
    `select r.lease_id, r.amount, t.taken, g.given from (select lease_id, sum(amount) as amount from gateway_usage group by 1) r
     cross join lateral (select coalesce(sum(amount), 0) as taken from wallet_captures where hold_id = 'gateway.lease.' || r.lease_id) t
     cross join lateral (select coalesce(sum(f.amount), 0) as given from gateway_corrections c join wallet_transactions x on x.kind = 'gateway.correction' and x.ref = c.call_id || ':' || c.no
       join wallet_transfers f on f.transaction_id = x.id and f.debit_kind = 'revenue' where c.lease_id = r.lease_id) g
     where r.amount <> t.taken - g.given`,
  )
  expect(wrong).toEqual([])
}

/** A process whose heartbeat can be stopped and resumed. */
async function aProcess() {
  let resume: (() => void) | undefined
  let stopped: Promise<void> | undefined
  const gated: Db = Object.assign(Object.create(db) as Db, {
    query: async (text: string, values?: readonly unknown[], name?: string) => {
      if (name === 'gateway_beat') await stopped
      return db.query(text, values, name)
    },
  })
  const journal = await createJournal(gated, log, { deadMs: 60_000 })
  running.push(journal)
  return {
    journal,
    pause: () => {
      stopped = new Promise((done) => {
        resume = done
      })
    },
    resume: () => {
      stopped = undefined
      resume?.()
    },
  }
}
type Process = Awaited<ReturnType<typeof aProcess>>

const fundedKey = async (purchased = 100n * CENT, granted = 0n): Promise<ApiKey> => (await aKey(db, await aFundedUser(db, { purchased, granted }))).key

async function openCall(journal: RunningJournal, key: ApiKey, held = 10n * CENT): Promise<ReservedCall> {
  const lease = await journal.admit(key, held)
  if (!isLease(lease)) throw new Error('refused')
  const call = aReservedCall(key, lease, { held })
  await journal.reserve(call, true)
  return call
}

/** Sweeps with every silent node treated as silent for good. */
const sweepNow = (fate: CallOutcome, silentMs = 0, returnMs = 0) => sweepDeadLeases({ db, log, deadMs: 0, returnMs, silentMs, fateOf: async () => fate })
const aBillOutcome = (amount: bigint): CallOutcome => ({
  kind: 'bill',
  bill: {
    ...{ upstream: 'sandbox-openai', dialect: 'openai-chat', amount, lines: [{ kind: 'output', tokens: 1_000_000, unitPrice: amount, amount }] },
    ...{ inputTokens: 1200, cachedTokens: 200, outputTokens: 1_000_000, reasoningTokens: 0 },
  },
})

/** Opens a call, falls silent, and is swept with the vendor's reported outcome. */
async function sweepOpenCall(process: Process, key: ApiKey, fate: CallOutcome): Promise<ReservedCall> {
  const call = await openCall(process.journal, key)
  process.pause()
  await sweepNow(fate)
  return call
}
/** Returns the balance of the account once all charges are posted. */
const posted = async (key: ApiKey) => {
  await expect.poll(() => db.query('select 1 from gateway_unposted where account_id = $1', [key.accountId]), { interval: 20 }).toEqual([])
  return (await readBalance(db, key.userId)).posted
}
const rowOf = async (call: ReservedCall) =>
  (await db.query('select amount, outcome, provenance, status from gateway_usage where account_id = $1 and call_id = $2', [call.accountId, call.callId]))[0]
const corrections = (call: ReservedCall) =>
  db.query('select no, cause, amount_before as before, amount_after as after from gateway_corrections where account_id = $1 and call_id = $2 order by no', [
    call.accountId,
    call.callId,
  ])
const resolved = async (call: ReservedCall) =>
  (await db.query('select basis, resolved_by from gateway_swept where account_id = $1 and call_id = $2', [call.accountId, call.callId]))[0]

describe('a late, real figure', () => {
  test('replaces a hold that was charged provisionally, and the rest comes back as what it was', async () => {
    const process = await aProcess()
    const key = await fundedKey(100n * CENT, 4n * CENT)
    const call = await sweepOpenCall(process, key, { kind: 'unknown' })
    expect(await rowOf(call)).toMatchObject({ amount: 10n * CENT, provenance: 'held', outcome: 'upstream_cut' })
    expect(await posted(key)).toBe(94n * CENT)
    await process.journal.settle(aSettledCall(call, 3n * CENT))
    expect(await rowOf(call)).toEqual({ amount: 3n * CENT, outcome: 'completed', provenance: 'upstream', status: 200 })
    expect(await corrections(call)).toEqual([{ no: 1, cause: 'node', before: 10n * CENT, after: 3n * CENT }])
    expect(await resolved(call)).toEqual({ basis: 'hold', resolvedBy: 'node' })
    expect(await posted(key)).toBe(101n * CENT)
    // the gift is spent first, so only it remains spent
    const lots = await db.owner.query('select kind, sum(remaining)::bigint as left from wallet_lots where account_id = $1 group by kind order by kind', [
      key.accountId,
    ])
    expect(lots).toEqual([
      { kind: 'granted', left: CENT },
      { kind: 'purchased', left: 100n * CENT },
    ])
    process.resume()
  })

  test('is charged where the sweeper had found nothing to charge', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await sweepOpenCall(process, key, { kind: 'nothing' })
    expect(await posted(key)).toBe(100n * CENT)
    await process.journal.settle(aSettledCall(call, 7n * CENT))
    expect(await posted(key)).toBe(93n * CENT)
    expect(await corrections(call)).toEqual([{ no: 1, cause: 'node', before: 0n, after: 7n * CENT }])
    process.resume()
  })

  test('that is above the hold is taken from the balance, and owed where there is none', async () => {
    const process = await aProcess()
    const key = await fundedKey(10n * CENT)
    const call = await sweepOpenCall(process, key, { kind: 'unknown' })
    await process.journal.settle(aSettledCall(call, 12n * CENT))
    expect(await posted(key)).toBe(0n)
    expect(await readBalance(db, key.userId)).toMatchObject({ receivable: -2n * CENT })
    process.resume()
  })

  test('of a call that was owed forgives the debt first', async () => {
    const process = await aProcess()
    const key = await fundedKey(10n * CENT)
    const call = await openCall(process.journal, key)
    process.pause()
    await sweepNow({ kind: 'nothing' })
    await process.journal.settle(aSettledCall(call, 13n * CENT))
    expect(await posted(key)).toBe(0n)
    expect(await readBalance(db, key.userId)).toMatchObject({ receivable: -3n * CENT })
    await db.query(`update gateway_swept set resolved_by = null, resolved_at = null, basis = 'hold' where call_id = $1`, [call.callId])
    await process.journal.settle(aSettledCall(call, 9n * CENT))
    expect(await readBalance(db, key.userId)).toMatchObject({ posted: CENT, receivable: 0n })
    process.resume()
  })

  test('equal to the vendor’s moves nothing and completes the row', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await sweepOpenCall(process, key, aBillOutcome(5n * CENT))
    expect(await posted(key)).toBe(95n * CENT)
    await process.journal.settle(aSettledCall(call, 5n * CENT, { upstream: 'sandbox-openai' }))
    expect(await rowOf(call)).toMatchObject({ amount: 5n * CENT, outcome: 'completed' })
    expect(await posted(key)).toBe(95n * CENT)
    process.resume()
  })

  test('counts once, however often it is written, and nothing replaces it', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await sweepOpenCall(process, key, { kind: 'unknown' })
    await Promise.all(Array.from({ length: 20 }, () => process.journal.settle(aSettledCall(call, 3n * CENT))))
    for (let i = 0; i < 5; i++) await process.journal.settle(aSettledCall(call, BigInt(i) * CENT))
    await process.journal.release(call, 'client_gone', 499)
    await sweepNow(aBillOutcome(9n * CENT))
    expect(await posted(key)).toBe(97n * CENT)
    expect(await corrections(call)).toHaveLength(1)
    process.resume()
  })

  test('of the vendor is not replaced by an estimate or a broken connection', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await sweepOpenCall(process, key, aBillOutcome(5n * CENT))
    await process.journal.settle(aSettledCall(call, CENT, { provenance: 'estimated' }))
    await process.journal.release(call, 'upstream_cut', 502)
    expect(await rowOf(call)).toMatchObject({ amount: 5n * CENT, outcome: 'upstream_cut' })
    expect(await corrections(call)).toEqual([])
    process.resume()
  })
})

describe('a process that comes back in time', () => {
  test('keeps its calls, continues under a new name and promises nothing from old leases', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const was = process.journal.node
    const call = await openCall(process.journal, key)
    process.pause()
    expect(await sweepNow({ kind: 'unknown' }, 60_000)).toBe(0)
    // the call's hold is kept, the rest of the lease is free
    expect(await readBalance(db, key.userId)).toMatchObject({ posted: 100n * CENT, held: 10n * CENT })
    process.resume()
    await expect.poll(() => process.journal.node, { interval: 50 }).not.toBe(was)
    const next = await openCall(process.journal, key)
    expect(next.leaseId).not.toBe(call.leaseId)
    expect(await sweepNow({ kind: 'unknown' }, 60_000)).toBe(0)
    await process.journal.settle(aSettledCall(call, 3n * CENT))
    await process.journal.settle(aSettledCall(next, CENT))
    expect(await posted(key)).toBe(96n * CENT)
    expect(await db.query('select 1 from gateway_swept where account_id = $1', [key.accountId])).toEqual([])
    await expect.poll(async () => (await readBalance(db, key.userId)).held, { interval: 100 }).toBe(0n)
  })

  test('finds all that it set aside, written or not, while it is awaited', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const was = process.journal.node
    const unwritten = await process.journal.admit(key, 90n * CENT)
    if (!isLease(unwritten)) throw new Error('refused')
    process.pause()
    const sweepAwaited = () => sweepNow({ kind: 'unknown' }, 60_000, 30_000)
    expect(await sweepAwaited()).toBe(0)
    expect((await readBalance(db, key.userId)).available).toBeLessThanOrEqual(10n * CENT)
    process.resume()
    await expect.poll(() => process.journal.node, { interval: 50 }).not.toBe(was)
    expect(process.journal.isLost(unwritten.leaseId)).toBe(true)
    const call = aReservedCall(key, unwritten, { held: 90n * CENT })
    await process.journal.reserve(call, true)
    await sweepAwaited()
    await process.journal.settle(aSettledCall(call, 80n * CENT))
    expect(await posted(key)).toBe(20n * CENT)
    await expect.poll(async () => (await readBalance(db, key.userId)).held, { interval: 100 }).toBe(0n)
  })

  test('loses unwritten promises once it is no longer awaited', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    await process.journal.admit(key, 90n * CENT)
    process.pause()
    await db.owner.query(`update gateway_nodes set beat_at = beat_at - interval '31 seconds' where node = $1`, [process.journal.node])
    await sweepNow({ kind: 'unknown' }, 60_000, 30_000)
    expect((await readBalance(db, key.userId)).available).toBe(100n * CENT)
    process.resume()
  })

  test('returns a second time, with a third name', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await openCall(process.journal, key)
    const names = [process.journal.node]
    for (let time = 0; time < 2; time++) {
      process.pause()
      await sweepNow({ kind: 'unknown' }, 60_000)
      process.resume()
      await expect.poll(() => process.journal.node, { interval: 50 }).not.toBe(names.at(-1))
      names.push(process.journal.node)
    }
    expect(new Set(names).size).toBe(3)
    await process.journal.settle(aSettledCall(call, 2n * CENT))
    expect(await posted(key)).toBe(98n * CENT)
  })

  test('is charged once for each call while ten sweepers end its leases', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const calls = []
    for (let i = 0; i < 5; i++) calls.push(await openCall(process.journal, key, 2n * CENT))
    process.pause()
    const sweeps = Array.from({ length: 10 }, () => sweepNow({ kind: 'unknown' }).catch(() => 0))
    process.resume()
    await Promise.all([...sweeps, ...calls.map((call) => process.journal.settle(aSettledCall(call, CENT)))])
    await sweepNow({ kind: 'unknown' })
    expect(await posted(key)).toBe(95n * CENT)
  })
})

describe('the database itself refuses', () => {
  test('a beat, a lease or a second life under a dead name', async () => {
    const key = await fundedKey()
    await db.query(`insert into gateway_nodes (node, dead_at) values ('node_gone', now())`)
    await expect(db.query(`update gateway_nodes set beat_at = now() + interval '1 second' where node = 'node_gone'`)).rejects.toThrow('declared dead')
    await expect(db.query(`update gateway_nodes set dead_at = null where node = 'node_gone'`)).rejects.toThrow('declared dead')
    await expect(db.query(`insert into gateway_leases (lease_id, account_id, node) values (1, $1, 'node_gone')`, [key.accountId])).rejects.toThrow(
      'no living node',
    )
    await expect(db.query(`insert into gateway_leases (lease_id, account_id, node) values (1, $1, 'never')`, [key.accountId])).rejects.toThrow('no living node')
    await db.query(`delete from gateway_nodes where node = 'node_gone'`)
  })

  test('a usage row that changes without a correction of the same transaction, even for its owner', async () => {
    const process = await aProcess()
    const key = await fundedKey()
    const call = await sweepOpenCall(process, key, { kind: 'nothing' })
    await process.journal.settle(aSettledCall(call, CENT))
    for (const change of ['amount = 0', 'amount = amount', `key_id = 'other'`])
      await expect(db.owner.query(`update gateway_usage set ${change} where call_id = $1`, [call.callId])).rejects.toThrow('append-only')
    await expect(db.owner.query('delete from gateway_usage where call_id = $1', [call.callId])).rejects.toThrow('append-only')
    await expect(db.owner.query('update gateway_corrections set amount_after = 0')).rejects.toThrow('append-only')
    await expect(
      db.query(
        `insert into gateway_corrections (account_id, call_id, no, started_at, lease_id, cause, by, amount_before, amount_after, before)
        values ($1, 'x', 1, now(), 1, 'node', '', 0, 0, '{}')`,
        [key.accountId],
      ),
    ).rejects.toThrow('permission denied')
    process.resume()
  })
})
