import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { newId } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { patient } from '#platform/testing/patience.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { sumFaults } from '#features/gateway/server/usage/data-sums.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { isAlive } from './persist.ts'

// L6 for a model call: the gateway is killed at each step of a call, and the sweeper at each of its own. The vendor's own book is the judge: what
// it billed for calls that were promised money is charged exactly once, and no hold stays.
/** CRASH_KILLS=50: the count of a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
/** Each step of a call, in its order; then what the process does beside its calls. */
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
 * The sweeper waits until nobody can be taken for dead by mistake: ten seconds a kill, so a change gets the hardest. What one did not live to end
 * the next one finds, so that it is killed with a growing heap of work before it.
 */
const SWEEPS = KILLS > 1 ? ['gateway.before-sweep', 'gateway.sweep-before-commit', 'gateway.after-sweep'] : ['gateway.sweep-before-commit']
const ENV = { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', GATEWAY_NODE_DEAD_MS: '4000', SANDBOX_CHUNK_MS: '5' }

/** The vendor, who outlives them all. */
let outside: TestServer
let worker: TestServer
let gateway: TestServer
let db: Db
let secret: string

beforeAll(async () => {
  outside = await startTestServer({ roles: 'sandbox', env: ENV })
  const { databaseUrl } = outside
  const env = { ...ENV, SANDBOX_UPSTREAM_URL: `${outside.baseUrl}/sandbox/upstream` }
  ;[gateway, worker] = (await Promise.all(['gateway', 'worker'].map((roles) => startTestServer({ roles, databaseUrl, env })))) as [TestServer, TestServer]
  db = connect(outside.databaseUrl, { max: 2 })
  secret = (await aKey(db, await aFundedUser(db, { userId: newId('user') }))).secret
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
  for (let waited = 0; isAlive(server.pid()); waited += 20) {
    if (waited > withinMs) return false
    await new Promise((done) => setTimeout(done, 20))
  }
  return true
}

/** A process that is not given its turn in time refuses calls instead of coming to the point: it is asked again. */
async function killedAt(point: string): Promise<void> {
  await gateway.restart({ CRASH_AT: point })
  for (let tries = 0; tries < 20; tries++) {
    await Promise.allSettled([call(true), call(false), call(true)])
    if (await isDead(gateway, patient(6_000))) return
  }
  throw new Error(`${point} was never reached`)
}

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) await killedAt(point)
  if (KILLS > 1) await allIsWell()
})

test.each(SWEEPS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    await gateway.restart()
    const reply = await send(true, '[[sandbox:chunk=50]]')
    await reply.body!.getReader().read()
    await Promise.all([gateway.kill(), worker.kill()])
    await worker.restart({ CRASH_AT: point })
    if (!(await isDead(worker, 60_000))) throw new Error(`${point} was never reached`)
  }
  await worker.restart()
  if (KILLS > 1) await allIsWell()
})

test('after all of it the books agree', () => allIsWell())

/** The gateway works, no call is open, and what the vendor billed is charged once; where it is not, the client got nothing. */
async function allIsWell(): Promise<void> {
  await gateway.restart()
  await expect.poll(() => call(true)).toBe(true)
  await expect.poll(async () => (await db.query('select count(*)::int as n from gateway_calls'))[0]?.['n']).toBe(0)

  const { entries } = (await (
    await fetch(`${outside.baseUrl}/sandbox/upstream/book?since=0&limit=50000`, { headers: { authorization: 'Bearer sandbox' } })
  ).json()) as {
    entries: { callId: string; status: string; billed: Record<string, number> }[]
  }
  const billed = new Set(entries.filter((entry) => (entry.billed['input'] ?? 0) + (entry.billed['output'] ?? 0) > 0).map((entry) => entry.callId))
  const charged = (await db.query<{ call_id: string }>('select call_id from gateway_usage where amount > 0')).map((row) => row.call_id)
  expect(new Set(charged).size).toBe(charged.length)
  expect(charged.filter((id) => !billed.has(id))).toEqual([])
  // killed before the row of a call was durable, no byte had reached the client: the house bears that call, nobody else
  const promised = new Set((await db.query<{ call_id: string }>('select call_id from gateway_usage')).map((row) => row.call_id))
  expect([...billed].filter((id) => promised.has(id) && !charged.includes(id))).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
  expect(await sumFaults(db, shanghaiDay(Date.now()), 10)).toEqual([])
}
