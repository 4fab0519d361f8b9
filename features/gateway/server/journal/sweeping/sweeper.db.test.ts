import { beforeAll, afterEach, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { connect } from '#platform/server/database/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../../builders.ts'
import type { ApiKey, ReservedCall } from '../../hot/deps.ts'
import { createJournal } from '../journal.ts'
import { createStatementGate } from '../testing/statement-gate.ts'
import { sweepDeadLeases } from './sweeper.ts'
import type { CallOutcome } from './sweeper.ts'

const log = createLog('silent')
const CENT = 10_000_000n
/** Long, so that a slow machine does not make a process count as dead; tests set dead ones explicitly. */
const DEAD_MS = 60_000
let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb({ max: 20 })
})
afterEach(async () => {
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

/** Starts a process that ends with `count` calls open: its connections close, nothing is returned; dead once it `rests`. */
async function crashWithOpenCalls(
  key: ApiKey,
  count: number,
  also: (call: ReservedCall, i: number, journal: Awaited<ReturnType<typeof createJournal>>) => Promise<void> = async () => {},
) {
  const own = connect(db.url, { max: 4 })
  const journal = await createJournal(own, log, { deadMs: DEAD_MS })
  const calls: ReservedCall[] = []
  for (let i = 0; i < count; i++) {
    const lease = await journal.admit(key, CENT)
    if (!isLease(lease)) throw new Error('refused')
    const call = aReservedCall(key, lease, { held: CENT, more: i === 0 ? { askedModel: 'gpt-5' } : {} })
    await journal.reserve(call, true)
    calls.push(call)
    await also(call, i, journal)
  }
  await own.close()
  return { calls, journal }
}
const aBillOutcome = (amount: bigint): CallOutcome => ({
  kind: 'bill',
  bill: {
    upstream: 'sandbox-openai',
    dialect: 'openai-chat',
    lines: [{ kind: 'output', tokens: 10, unitPrice: 1n, amount }],
    amount,
    inputTokens: 5,
    cachedTokens: 0,
    outputTokens: 10,
    reasoningTokens: 0,
  },
})
const options = (fateOf: (callId: string) => CallOutcome | Promise<CallOutcome>, more = {}) => ({
  db,
  log,
  deadMs: DEAD_MS,
  returnMs: 0,
  silentMs: 60_000,
  fateOf: async (call: { callId: string }) => fateOf(call.callId),
  ...more,
})
const aFundedKey = async () => (await aKey(db, await aFundedUser(db, { purchased: 100n * CENT }))).key
/** Ages all heartbeats by two minutes: the nodes are dead, and silent for long enough. */
const ageHeartbeats = () => db.owner.query(`update gateway_nodes set beat_at = beat_at - interval '2 minutes' where dead_at is null`)

test('after a crash: known calls are billed by the vendor, the rest costs nothing, the lease goes back', async () => {
  const key = await aFundedKey()
  const { calls } = await crashWithOpenCalls(key, 10)
  expect(await sweepDeadLeases(options(() => aBillOutcome(1n)))).toBe(0) // the last heartbeat was a moment ago
  await ageHeartbeats()
  const known = new Set(calls.slice(0, 4).map((call) => call.callId))
  await Promise.all([1, 2].map(() => sweepDeadLeases(options((callId) => (known.has(callId) ? aBillOutcome(CENT / 2n) : { kind: 'nothing' })))))
  const { posted, held } = await readBalance(db, key.userId)
  expect([posted, held]).toEqual([100n * CENT - 2n * CENT, 0n])
  const rows = await db.query('select amount, outcome, provenance, status from gateway_usage where key_id = $1 order by amount', [key.keyId])
  expect(rows.map((row) => row.amount)).toEqual([...Array<bigint>(6).fill(0n), ...Array<bigint>(4).fill(CENT / 2n)])
  expect(rows[9]).toMatchObject({ outcome: 'upstream_cut', provenance: 'upstream' })
  expect(await db.query(`select call_id from gateway_usage where key_id = $1 and asked_model = 'gpt-5'`, [key.keyId])).toEqual([{ callId: calls[0]!.callId }])
  expect(await db.query('select 1 from gateway_calls')).toEqual([])
  expect(await db.query('select 1 from gateway_leases')).toEqual([])
  expect(await db.query("select 1 from gateway_nodes where beat_at < now() - interval '1 minute'")).toEqual([])
})

test('ten sweepers at once: every call once', async () => {
  const key = await aFundedKey()
  await crashWithOpenCalls(key, 20)
  await ageHeartbeats()
  await Promise.all(
    Array.from({ length: 10 }, () =>
      sweepDeadLeases(
        options(async () => {
          await new Promise((done) => {
            setTimeout(done, Math.random() * 30)
          })
          return aBillOutcome(CENT / 4n)
        }),
      ),
    ),
  )
  await sweepDeadLeases(options(() => aBillOutcome(CENT)))
  expect((await readBalance(db, key.userId)).posted).toBe(95n * CENT)
})

test('a call that was settled before the crash is not billed again', async () => {
  const key = await aFundedKey()
  const { calls } = await crashWithOpenCalls(key, 4, async (call, i, journal) => {
    if (i < 2) await journal.settle(aSettledCall(call, CENT))
  })
  // the sweeper saw this one settle, but its open row was written again by a late flush
  await db.query(
    `insert into gateway_calls select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, 1, 'node_x', started_at from gateway_usage where call_id = $1`,
    [calls[0]!.callId],
  )
  await ageHeartbeats()
  await sweepDeadLeases(options(() => aBillOutcome(CENT / 10n)))
  expect((await readBalance(db, key.userId)).posted).toBe(100n * CENT - 2n * CENT - CENT / 5n)
  expect(await db.query('select 1 from gateway_calls')).toEqual([])
})

test('a call without a figure keeps its hold, then is charged it, provisionally and for an operator to see', async () => {
  const key = await aFundedKey()
  const { calls } = await crashWithOpenCalls(key, 5)
  await ageHeartbeats()
  const away = () => {
    throw new Error('vendor away')
  }
  const fates = [() => ({ kind: 'wait' }) as const, away, () => ({ kind: 'unknown' }) as const, () => ({ kind: 'nothing' }) as const]
  for (const fate of fates) {
    expect(await sweepDeadLeases(options(fate, { silentMs: 600_000 }))).toBe(0)
    await db.query('update gateway_leases set looked_at = null')
  }
  expect(await readBalance(db, key.userId)).toMatchObject({ posted: 100n * CENT, held: 5n * CENT })
  const fateOf = new Map(calls.map((call, i) => [call.callId, fates[i % 4]!]))
  expect(await sweepDeadLeases(options((callId) => fateOf.get(callId)!()))).toBe(5)
  expect(await readBalance(db, key.userId)).toMatchObject({ posted: 96n * CENT, held: 0n })
  const rows = await db.query('select provenance, amount from gateway_usage where key_id = $1 order by amount, provenance', [key.keyId])
  expect(rows).toEqual([{ provenance: 'upstream', amount: 0n }, ...Array.from({ length: 4 }, () => ({ provenance: 'held', amount: CENT }))])
  expect(await db.query(`select 1 from gateway_swept where account_id = $1 and basis = 'hold' and resolved_at is null`, [key.accountId])).toHaveLength(4)
})

test('calls of a dead process without a lease are removed', async () => {
  const key = await aFundedKey()
  await crashWithOpenCalls(key, 1)
  await db.query('delete from gateway_leases')
  await db.owner.query(`update gateway_calls set started_at = started_at - interval '2 minutes'`)
  await sweepDeadLeases(options(() => ({ kind: 'nothing' })))
  // its process is alive and came back late, so the call belongs to it
  expect(await db.query('select 1 from gateway_calls')).toHaveLength(1)
  await ageHeartbeats()
  await sweepDeadLeases(options(() => ({ kind: 'nothing' })))
  expect(await db.query('select 1 from gateway_calls')).toEqual([])
})

test('a process taken for dead promises nothing from lost leases and continues with new ones', async () => {
  const key = await aFundedKey()
  const journal = await createJournal(db, log, { deadMs: 10_000 })
  const lease = await journal.admit(key, CENT)
  if (!isLease(lease)) throw new Error('refused')
  await sweepDeadLeases(options(() => ({ kind: 'nothing' }), { deadMs: 0, silentMs: 0 }))
  await expect
    .poll(
      async () => {
        const again = await journal.admit(key, CENT)
        return isLease(again) && again.leaseId !== lease.leaseId
      },
      { interval: 200 },
    )
    .toBe(true)
  await journal.stop()
})

test('a draw under way when its process is declared dead is made again under the new name, and every lease goes back in the end', async () => {
  const key = await aFundedKey()
  const sql = createStatementGate(db)
  const journal = await createJournal(sql, log, { deadMs: DEAD_MS })
  let was = journal.node
  const isBack = () => journal.node !== was
  const dies = () => {
    was = journal.node
    return db.query('update gateway_nodes set dead_at = now() where node = $1', [was])
  }
  const leases = () => db.query('select lease_id from gateway_leases where account_id = $1', [key.accountId])

  // once with the draw under way as the process dies, once with the money drawn and promised
  const blocker = await db.owner.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from wallet_accounts where id = $1 for update', [key.accountId.toString()])
  // the next heartbeat is held back until the setup is complete: a draw waits less than a second
  sql.close('update gateway_nodes')
  await waitForValue(() => sql.waiting() > 0, 'a heartbeat')
  await dies()
  const drawing = journal.admit(key, CENT)
  sql.open()
  await expect.poll(isBack, { interval: 10 }).toBe(true)
  await blocker.query('commit')
  blocker.release()
  const late = await drawing
  if (!isLease(late)) throw new Error('refused')
  const early = await journal.admit(key, CENT)
  if (!isLease(early)) throw new Error('refused')
  expect(early.leaseId).toBe(late.leaseId)
  await dies()
  await expect.poll(isBack, { interval: 100 }).toBe(true)
  const last = await journal.admit(key, CENT)
  if (!isLease(last)) throw new Error('refused')
  expect(last.leaseId).not.toBe(late.leaseId)
  expect(await leases()).toHaveLength(2)

  for (const lease of [late, early, last]) journal.giveBack(lease.leaseId, CENT)
  await expect.poll(leases, { interval: 100 }).toEqual([])
  expect(await readBalance(db, key.userId)).toMatchObject({ posted: 100n * CENT, held: 0n })
  await journal.stop()
})
