import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createJobs } from '#platform/server/jobs.ts'
import { createLog } from '#platform/server/log.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { PATIENCE_MS, scaleTimeout } from '#platform/testing/patience.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { insertTestCall } from '#features/gateway/server/upstreams/tests/data.ts'
import { selectSumDiscrepancies } from '#features/gateway/server/usage/data-sums.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { isProcessAlive } from './persist.ts'

// L6 for a model call: the gateway is killed at each step of a call, the sweeper at each of its steps, and the worker around an operator's
// test call. The vendor's own book is the reference: the amounts that it billed for calls with a hold are charged exactly once, and no hold
// remains.
/** Number of kills; CRASH_KILLS=50 for a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
/** Each step of a call in order, then the steps of background work. */
const POINTS = [
  'gateway.before-draw',
  'gateway.after-draw',
  'gateway.before-dial',
  'gateway.after-dial',
  'gateway.before-reserve',
  'gateway.after-reserve',
  'gateway.before-first-byte',
  'gateway.after-first-byte',
  'gateway.before-last-byte',
  'gateway.before-settle',
  'gateway.after-settle',
  'gateway.before-sum',
  'gateway.after-sum',
  'gateway.before-post',
  'gateway.after-post',
  'gateway.before-return',
  'gateway.after-return',
]
/**
 * The sweeper waits until no live node can be mistaken for dead: ten seconds per kill, so a change runs only the hardest point. The work
 * left by one kill is found by the next, so each kill has more work before it.
 */
const SWEEPS = KILLS > 1 ? ['gateway.before-sweep', 'gateway.sweep-before-commit', 'gateway.after-sweep'] : ['gateway.sweep-before-commit']
const ENV = { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', GATEWAY_NODE_DEAD_MS: '4000', GATEWAY_SILENT_MS: '8000', SANDBOX_CHUNK_MS: '5' }

/** The vendor's sandbox, which outlives every kill. */
let outside: TestServer
let worker: TestServer
let gateway: TestServer
let db: Db
let secret: string

beforeAll(async () => {
  outside = await startTestServer({ roles: 'sandbox', env: ENV })
  const { databaseUrl } = outside
  const env = { ...ENV, SANDBOX_UPSTREAM_URL: `${outside.baseUrl}/sandbox/upstream` }
  ;[gateway, worker] = (await Promise.all(['gateway', 'worker'].map((roles) => startTestServer({ roles, databaseUrl, env, crashes: roles === 'worker' })))) as [
    TestServer,
    TestServer,
  ]
  db = connect(outside.databaseUrl, { max: 2 })
  secret = (await aKey(db, await aFundedUser(db, { userId: createId('user') }))).secret
})
afterAll(async () => {
  await Promise.all([gateway?.stop(), worker?.stop(), outside?.stop()])
  await db?.close()
})

const send = (stream: boolean, ask = '') =>
  fetch(`${gateway.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-haiku-5-5', max_tokens: 60, stream, messages: [{ role: 'user', content: `问题 ${Math.random()} ${ask}` }] }),
  })
const call = async (stream: boolean) => {
  const reply = await send(stream)
  const text = await reply.text()
  return reply.status === 200 && (!stream || text.includes('message_stop'))
}

async function isDead(server: TestServer, withinMs: number): Promise<boolean> {
  for (let waited = 0; isProcessAlive(server.pid()); waited += 20) {
    if (waited > withinMs) return false
    await new Promise((done) => setTimeout(done, 20))
  }
  return true
}

/** A starved process refuses calls instead of reaching the point, so the call is repeated. */
async function killAtPoint(point: string): Promise<void> {
  await gateway.restart({ CRASH_AT: point })
  for (let tries = 0; tries < 20; tries++) {
    await Promise.allSettled([call(true), call(false), call(true)])
    if (await isDead(gateway, scaleTimeout(6_000))) return
  }
  throw new Error(`${point} was never reached`)
}

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) await killAtPoint(point)
  if (KILLS > 1) await expectConsistentBooks()
})

test.each(SWEEPS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    await gateway.restart()
    const reply = await send(true, '[[sandbox:chunk=50]]')
    await reply.body!.getReader().read()
    await Promise.all([gateway.kill(), worker.kill()])
    await worker.restart({ CRASH_AT: point })
    if (!(await isDead(worker, scaleTimeout(60_000)))) throw new Error(`${point} was never reached`)
  }
  await worker.restart()
  if (KILLS > 1) await expectConsistentBooks()
})

/** Requests a test call as an operator's command does. */
async function requestTestCall(): Promise<string> {
  const id = createId('gtc')
  const jobs = createJobs(outside.databaseUrl, createLog('silent'), { keeps: false, migrates: false })
  await jobs.start([], {} as Deps, false)
  const now = new Date()
  const model = 'claude-haiku-5-5'
  await transact(db, SYSTEM, async (tx) => {
    await insertTestCall(tx, {
      ...{ testId: id, upstreamId: 'sandbox', modelId: model, upstreamModel: model, dialect: 'anthropic-messages' },
      ...{ costBp: 10_000, askedBy: 'test', askedAt: now },
    })
    await jobs.send(tx, 'gateway.test-call', { id })
    await tx.audit('gateway.test-asked', 'upstream:sandbox', { test: id })
  })
  await jobs.stop()
  return id
}

test.each([
  ['gateway.test-before-call', 0],
  ['gateway.test-after-call', 1],
])('%s: our books have what the vendor may have billed, and nothing is sent again', async (point, sent) => {
  for (let kill = 0; kill < KILLS; kill++) {
    if (!isProcessAlive(worker.pid())) await worker.restart()
    const from = Date.now()
    worker.crashAt(point)
    const id = await requestTestCall()
    if (!(await isDead(worker, scaleTimeout(60_000)))) throw new Error(`${point} was never reached`)
    // a call whose process died is resolved after two minutes; the test does not wait
    await db.query(`update gateway_test_calls set called_at = called_at - interval '2 minutes' where test_id = $1`, [id])
    await worker.restart()
    const row = async () => (await db.query<Booked>('select state, input_tokens, output_tokens, cost from gateway_test_calls where test_id = $1', [id]))[0]!
    await expect.poll(async () => (await row()).state, { timeout: 2 * PATIENCE_MS }).toBe('unknown')
    const theirs = (await fetchVendorBook(from)).filter(({ billed }) => billed['output'])
    expect(theirs).toHaveLength(sent)
    const ours = await row()
    expect(ours.inputTokens).toBeGreaterThanOrEqual(BigInt(theirs[0]?.billed['input'] ?? 0))
    expect(ours.outputTokens).toBeGreaterThanOrEqual(BigInt(theirs[0]?.billed['output'] ?? 0))
    expect(
      await db.query(
        `select t.amount from wallet_transactions x join wallet_transfers t on t.transaction_id = x.id where x.kind = 'gateway.test' and x.ref = $1`,
        [id],
      ),
    ).toEqual([{ amount: ours.cost }])
  }
})

test('after all of it the books agree', () => expectConsistentBooks())

interface Booked {
  readonly state: string
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly cost: bigint
}
interface Billed {
  readonly callId: string
  readonly status: string
  readonly billed: Record<string, number>
}
async function fetchVendorBook(since = 0): Promise<readonly Billed[]> {
  const url = `${outside.baseUrl}/sandbox/upstream/book?since=${since}&limit=50000`
  const reply = await fetch(url, { headers: { authorization: 'Bearer sandbox' } })
  return ((await reply.json()) as { entries: Billed[] }).entries
}

/**
 * Checks that the gateway works, that no call is open, and that the vendor's bill is charged once; if it is not charged, the client got
 * nothing.
 */
async function expectConsistentBooks(): Promise<void> {
  await gateway.restart()
  await expect.poll(() => call(true)).toBe(true)
  await expect.poll(async () => (await db.query('select count(*)::int as n from gateway_calls'))[0]?.['n']).toBe(0)

  const entries = await fetchVendorBook()
  const billed = new Set(entries.filter((entry) => (entry.billed['input'] ?? 0) + (entry.billed['output'] ?? 0) > 0).map((entry) => entry.callId))
  const charged = (await db.query<{ callId: string }>('select call_id from gateway_usage where amount > 0')).map((row) => row.callId)
  expect(new Set(charged).size).toBe(charged.length)
  expect(charged.filter((id) => !billed.has(id))).toEqual([])
  // killed before the call's row was durable: the client received no byte, so we absorb the cost
  const promised = new Set((await db.query<{ callId: string }>('select call_id from gateway_usage')).map((row) => row.callId))
  expect([...billed].filter((id) => promised.has(id) && !charged.includes(id))).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
  expect(await selectSumDiscrepancies(db, toShanghaiDay(Date.now()), 10)).toEqual([])
}
