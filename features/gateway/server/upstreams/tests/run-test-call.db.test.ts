import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { selectOurUse } from '../../books/data.ts'
import { seedPrices } from '../../catalogue/seed.ts'
import { gateway } from '../../index.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { changeRoutes, changeUpstream } from '../change-routes.ts'
import { sweepTestCalls } from './end-test-call.ts'
import { runTestCall } from './run-test-call.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const BY = { kind: 'operator', id: 'test' } as const
const KEY = 'sk-canary-Zq7xK2mLp9-abcd'
const OTHER = 'sk-canary-Zq7xK2mLp9-wxyz'
const DAY_MS = 86_400_000

let supply: BuiltOperator
let sandbox: RunningModelStandIn
beforeAll(async () => {
  await seedPrices(deps)
  sandbox = await startModelStandIn({ keys: [KEY] })
  return () => sandbox.stop()
})
beforeEach(async () => {
  supply = await anOperator(deps, ['supply'])
  for (const table of ['gateway_routes', 'gateway_test_calls', 'gateway_upstream_keys', 'gateway_upstreams']) await db.owner.query(`delete from ${table}`)
  await changeUpstream(db, BY, {
    id: 'one',
    change: { vendor: 'sandbox-openai', baseUrl: `${sandbox.url}/openai`, credentialEnv: 'UPSTREAM_ONE_KEY' },
    reason: 'new',
  })
})
const preview = (name: string, input: object) => call('POST', `/operator/do/${name}/preview`, { upstreamId: 'one', ...input }, { token: supply.token })
async function run(name: string, input: object = {}) {
  const { data } = await preview(name, input)
  const body = { upstreamId: 'one', ...input, reasonCode: 'maintenance', reason: 'a reason of some length', expects: data.expects }
  return call('POST', `/operator/do/${name}`, body, { token: supply.token, idempotencyKey: createId('k') })
}
const readShownTest = async () => {
  const { data } = await call('GET', '/operator/upstreams', {}, { token: supply.token })
  return data.upstreams.find(({ id }: { id: string }) => id === 'one').tests[0]
}
/** Inserts a test call that waits to be sent. */
async function queueTestCall(model = 'gpt-4o'): Promise<string> {
  await run('upstream.set-key', { credential: KEY })
  return (await run('upstream.test', { model })).data.result.test
}
/** Amount posted to the ledger for a test call. */
const sumPosted = async (id: string) =>
  (
    await db.query<{ amount: bigint }>(
      `select coalesce(sum(t.amount), 0)::bigint as amount from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
      where x.kind = 'gateway.test' and x.ref = $1 and t.debit_kind = 'own_use' and t.credit_kind = 'revenue'`,
      [id],
    )
  )[0]!.amount
const readOurUse = () => selectOurUse(db, new Date(clock.now().getTime() - DAY_MS), new Date(clock.now().getTime() + DAY_MS))

test('a test call goes through exactly this upstream and key; its cost is our expense in the ledger and in the books', async () => {
  await changeRoutes(db, BY, { upstream: 'one', models: ['gpt-4o'], change: { costBp: 5000 }, reason: 'half' })
  const id = await queueTestCall()
  await settle()
  const tested = await readShownTest()
  expect(tested).toMatchObject({ model: 'gpt-4o', state: 'done', status: 200, by: supply.id, latencyMs: expect.any(Number), isMost: false })
  expect(parseUsd(tested.cost)).toBeGreaterThan(0n)
  expect(await sumPosted(id)).toBe(parseUsd(tested.cost))
  expect(await readOurUse()).toMatchObject([{ upstream: 'one', model: 'gpt-4o', calls: 1n, charge: parseUsd(tested.cost), estimated: 0n }])
  // a second run of the job sends nothing
  await runTestCall(deps, id, () => Promise.reject(new Error('not again')))
  expect(await readShownTest()).toEqual(tested)
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('an upstream that refuses the key, or is not there, says so and costs nothing', async () => {
  await run('upstream.set-key', { credential: OTHER })
  await run('upstream.test', { model: 'gpt-4o' })
  await settle()
  expect(await readShownTest()).toMatchObject({ state: 'failed', status: 401, cost: null })
  expect(JSON.stringify(await readShownTest())).not.toContain('canary')
  await changeUpstream(db, BY, { id: 'one', change: { baseUrl: `http://127.0.0.1:${await reserveFreePort()}` }, reason: 'gone' })
  await run('upstream.test', { model: 'gpt-4o' })
  await settle()
  expect(await readShownTest()).toMatchObject({ state: 'failed', status: null, cost: null })
  expect(await readOurUse()).toEqual([])
  expect((await preview('upstream.test', { model: 'no-such' })).data.shown.refusal).toMatchObject({ name: 'BAD_INPUT' })
})

test('a test call killed after sending is not sent again, and is booked once at the most that the vendor can have billed', async () => {
  const id = await queueTestCall()
  const before = Date.now()
  let sent = 0
  /** The vendor answers, and the process dies before it can record the answer. */
  const dies: typeof fetch = async (...call) => {
    sent++
    await fetch(...call)
    return new Promise(() => undefined)
  }
  void runTestCall(deps, id, dies)
  await expect.poll(() => sandbox.book.list(before).at(-1)?.status).toBe('finished')
  await sweepTestCalls(deps)
  expect(await readShownTest()).toMatchObject({ state: 'calling', cost: null })
  clock.advance(120_000)
  await Promise.all([sweepTestCalls(deps), sweepTestCalls(deps), settle()])
  const { billed } = sandbox.book.list(before).at(-1)!
  const [row] = await readOurUse()
  expect(row).toMatchObject({ upstream: 'one', model: 'gpt-4o', calls: 1n, estimated: 1n })
  expect(row!.input).toBeGreaterThanOrEqual(BigInt(billed['input']!))
  expect(row!.output).toBeGreaterThanOrEqual(BigInt(billed['output']!))
  expect(await readShownTest()).toMatchObject({ state: 'unknown', cost: formatUsd(row!.charge), isMost: true })
  expect(await sumPosted(id)).toBe(row!.charge)
  expect(row!.charge).toBeGreaterThan(0n)
  expect(sent).toBe(1)
  expect((await verifyLedger(db)).problems).toEqual([])
})

test.each([
  ['breaks off', () => Promise.reject(Object.assign(new TypeError('terminated'), { cause: { code: 'ECONNRESET' } })), 'unknown', true],
  ['has no figure', async () => new Response('{"choices":[]}'), 'failed', true],
  ['is the vendor’s own fault', async () => new Response('upstream timed out', { status: 504 }), 'failed', true],
  ['is a refusal', async () => new Response('{}', { status: 429 }), 'failed', false],
  ['never left', () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } })), 'failed', false],
] as const)('an answer that %s is booked at the most where the vendor may have billed it', async (_what, send, state, isBooked) => {
  const id = await queueTestCall()
  await runTestCall(deps, id, send as unknown as typeof fetch)
  const tested = await readShownTest()
  expect(tested).toMatchObject({ state, isMost: isBooked })
  expect((await sumPosted(id)) > 0n).toBe(isBooked)
  expect(await sumPosted(id)).toBe(tested.cost === null ? 0n : parseUsd(tested.cost))
})

test('a model that left the price list is not called', async () => {
  const id = await queueTestCall()
  await db.owner.query(`update gateway_models set shown = false where model_id = 'gpt-4o'`)
  await runTestCall(deps, id, () => Promise.reject(new Error('not sent')))
  await db.owner.query(`update gateway_models set shown = true where model_id = 'gpt-4o'`)
  expect(await readShownTest()).toMatchObject({ state: 'failed', answer: 'no price', cost: null })
})

test('the database requires a test call’s maximum cost from its beginning, and keeps it', async () => {
  const id = await queueTestCall()
  await expect(db.query(`update gateway_test_calls set state = 'calling', called_at = now() where test_id = $1`, [id])).rejects.toThrow(
    'gateway_test_calls_held',
  )
  void runTestCall(deps, id, () => new Promise(() => undefined))
  await expect.poll(async () => (await readShownTest()).state).toBe('calling')
  await expect(db.query(`update gateway_test_calls set held = 0 where test_id = $1`, [id])).rejects.toThrow('is frozen')
  await expect(db.query(`update gateway_test_calls set state = 'unknown', ended_at = now() where test_id = $1`, [id])).rejects.toThrow('priced')
})
