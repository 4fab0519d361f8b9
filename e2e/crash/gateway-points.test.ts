import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/db.ts'
import type { Db } from '#platform/server/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { newId } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { sumFaults } from '#features/gateway/server/data-sums.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'

// L6 for a model call: the gateway is killed at each step of a call, five times. The vendor's own book is the judge: what
// it billed for calls that were promised money is charged exactly once, and no hold stays.
/** Five with CRASH_KILLS=5: the count of a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = ['gateway.before-reserve', 'gateway.after-reserve', 'gateway.before-settle', 'gateway.after-settle']
const ENV = { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', GATEWAY_NODE_DEAD_MS: '4000', SANDBOX_CHUNK_MS: '5' }

let outside: TestServer
let gateway: TestServer
let db: Db
let secret: string

beforeAll(async () => {
  outside = await startTestServer({ roles: 'worker,sandbox', env: ENV })
  gateway = await startTestServer({
    roles: 'gateway',
    databaseUrl: outside.databaseUrl,
    env: { ...ENV, SANDBOX_UPSTREAM_URL: `${outside.baseUrl}/sandbox/upstream` },
  })
  db = connect(outside.databaseUrl, { max: 2 })
  secret = (await aKey(db, await aFundedUser(db, { userId: newId('user') }))).secret
})
afterAll(async () => {
  await Promise.all([gateway?.stop(), outside?.stop()])
  await db?.close()
})

const call = async (stream: boolean) => {
  const reply = await fetch(`${gateway.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-haiku-5-5', max_tokens: 60, stream, messages: [{ role: 'user', content: `问题 ${Math.random()}` }] }),
  })
  const text = await reply.text()
  return reply.status === 200 && (!stream || text.includes('message_stop'))
}

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    await gateway.restart({ CRASH_AT: point })
    const ends = await Promise.allSettled([call(true), call(false), call(true)])
    expect(
      ends.some((end) => end.status === 'rejected'),
      `${point} was never reached`,
    ).toBe(true)
  }
  await gateway.restart()
  expect(await call(true)).toBe(true)
  await expect.poll(async () => (await db.query('select count(*)::int as n from gateway_calls'))[0]?.['n'], { timeout: 30_000 }).toBe(0)

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
})
