import { beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../../builders.ts'
import type { SettledCall } from '../../hot/deps.ts'
import { seedPrices } from '../../catalogue/seed.ts'
import { gateway } from '../../index.ts'
import { changeRoutes, changeUpstream } from '../../upstreams/change-routes.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import type { RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { selectCallHistory, insertSweptCalls } from '../corrections/data-corrections.ts'
import { postAllCharges } from '../data-posting.ts'
import { createJournal } from '../journal.ts'
import { retryVendorQueries } from './query-vendors.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, surface: 'operators', env: { SANDBOX_UPSTREAM_KEY: 'sandbox' } })
const BY = { kind: 'operator', id: 'test' } as const
const MODEL = 'gpt-6-luna'
const HELD = parseUsd('0.01')

let finance: BuiltOperator
let sandbox: RunningModelStandIn
let price: { version: number; input: bigint; output: bigint }
beforeAll(async () => {
  await seedPrices(deps)
  sandbox = await startModelStandIn({ keys: ['sandbox'] })
  await changeUpstream(db, BY, {
    id: 'one',
    change: { vendor: 'sandbox-openai', baseUrl: `${sandbox.url}/openai`, credentialEnv: 'SANDBOX_UPSTREAM_KEY' },
    reason: 'new',
  })
  await changeRoutes(db, BY, { upstream: 'one', models: [MODEL], change: {}, reason: 'new' })
  const [row] = await db.query<{ version: bigint; classes: string[] }>(
    'select version, classes from gateway_prices_kept where model_id = $1 and valid_from <= now() order by valid_from desc, version desc limit 1',
    [MODEL],
  )
  price = { version: Number(row!.version), input: BigInt(row!.classes[0]!), output: BigInt(row!.classes[4]!) }
  finance = await anOperator(deps, ['finance'])
  return () => sandbox.stop()
})

/** Creates a call that a sweeper ended; `answered`: its vendor did the work and has billed it. */
async function anEndedCall(end: Partial<SettledCall>, answered: boolean): Promise<{ call: SettledCall; userId: string; bill: bigint }> {
  const userId = await aFundedUser(db, { purchased: parseUsd('1') })
  const { key } = await aKey(db, userId)
  const journal = await createJournal(db, deps.log, { deadMs: 60_000 })
  const lease = await journal.admit(key, HELD)
  if (!isLease(lease)) throw new Error('refused')
  const reserved = aReservedCall(key, lease, { held: HELD, more: { callId: createId('call'), upstream: 'one', priceVersion: price.version } })
  await journal.reserve(reserved, true)
  const swept = { status: 500, outcome: 'upstream_cut', requestId: '', upstreamRequestId: '', inputTokens: 0, cachedTokens: 0, outputTokens: 0 } as const
  const settled = aSettledCall(reserved, 0n, { ...swept, ...end })
  await journal.settle(settled)
  await journal.stop()
  let bill = 0n
  if (answered) {
    const reply = await fetch(`${sandbox.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': 'Bearer sandbox', 'content-type': 'application/json', 'x-mingxi-call-id': reserved.callId },
      body: JSON.stringify({ model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await reply.text()
    const { billed } = await sandbox.closed(reserved.callId)
    bill =
      computeTokenCost(billed.input, price.input) +
      computeTokenCost(billed.output - billed.reasoning, price.output) +
      computeTokenCost(billed.reasoning, price.output)
  }
  return { call: settled, userId, bill }
}
const anOldZeroCall = (answered: boolean) => anEndedCall({}, answered)
/** Creates a call that was charged its hold after its node had been silent for too long. */
async function aProvisionalCall(node: string, answered: boolean) {
  const made = await anEndedCall(
    { provenance: 'held', amount: HELD, lines: [{ kind: 'call', tokens: 1, unitPrice: HELD * 1_000_000n, amount: HELD }] },
    answered,
  )
  await insertSweptCalls(db, [{ ...made.call, startedAt: new Date(made.call.startedAt), node, basis: 'hold' }])
  return made
}

async function run(name: string, input: object) {
  const shown = await call('POST', `/operator/do/${name}/preview`, input, { token: finance.token })
  const { data } = shown
  if (!data) throw new Error(`${name}: ${shown.code} ${shown.msg}`)
  const why = { reasonCode: 'maintenance', reason: 'a reason of some length' }
  const done = await call('POST', `/operator/do/${name}`, { ...input, ...why, expects: data.expects }, { token: finance.token, idempotencyKey: createId('k') })
  return { preview: data, done: done.data, code: done.code }
}
const spent = async (userId: string) => {
  await postAllCharges(db)
  return parseUsd('1') - (await readBalance(db, userId)).posted
}
const getWorkItem = async (node: string) => (await call('GET', '/operator/work/item', { id: `silent:${node}` }, { token: finance.token })).data

test('a repair previews its corrections, charges old calls swept to zero, gives back the excess of holds, and does both once', async () => {
  const zero = await anOldZeroCall(true)
  const free = await anOldZeroCall(false)
  const held = await aProvisionalCall('node_a', true)
  const unbilled = await aProvisionalCall('node_a', false)
  expect(await getWorkItem('node_a')).toMatchObject({ kind: 'silent', title: 'node_a', detail: '2', amount: '0.02' })
  expect(await selectCallHistory(db, held.call.accountId, held.call.callId)).toEqual({ provisional: true, corrections: [] })
  const { preview, done } = await run('calls.repair', {})
  const facts = { corrected: 3, chargedLater: formatUsd(zero.bill), givenBack: formatUsd(HELD - held.bill + HELD) }
  expect(preview.shown.result).toMatchObject(facts)
  expect(done.state).toBe('done')
  expect(await spent(zero.userId)).toBe(zero.bill)
  expect(await spent(free.userId)).toBe(0n)
  expect(await spent(held.userId)).toBe(held.bill)
  expect(await spent(unbilled.userId)).toBe(0n)
  expect(await selectCallHistory(db, held.call.accountId, held.call.callId)).toMatchObject({
    provisional: false,
    corrections: [{ cause: 'vendor', before: HELD, after: held.bill }],
  })
  const again = await run('calls.repair', {})
  expect(again.preview.shown.result).toMatchObject({ corrected: 0, chargedLater: '0', givenBack: '0' })
  expect(await spent(zero.userId)).toBe(zero.bill)
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('an operator enters the figure of the vendor’s console, once, or keeps the charge, which ends the work', async () => {
  const one = await aProvisionalCall('node_b', false)
  const other = await aProvisionalCall('node_b', false)
  const figure = { callId: one.call.callId, input: 1000, cached: 0, output: 500, reasoning: 100 }
  const { preview } = await run('call.figure', figure)
  const amount = computeTokenCost(1000, price.input) + computeTokenCost(400, price.output) + computeTokenCost(100, price.output)
  expect(preview.shown.result).toMatchObject({ amount: formatUsd(amount) })
  expect(await spent(one.userId)).toBe(amount)
  expect((await call('POST', '/operator/do/call.figure/preview', figure, { token: finance.token })).code).not.toBe(200)
  expect(await getWorkItem('node_b')).toMatchObject({ detail: '1' })
  await run('calls.keep', { node: 'node_b' })
  expect(await spent(other.userId)).toBe(HELD)
  expect((await call('GET', '/operator/work/item', { id: 'silent:node_b' }, { token: finance.token })).code).not.toBe(200)
})

test('a vendor that answers later is asked again by itself', async () => {
  const held = await aProvisionalCall('node_c', true)
  await retryVendorQueries(deps)
  expect(await spent(held.userId)).toBe(HELD)
  await db.query(`update gateway_swept set asked_at = now() - interval '11 minutes' where call_id = $1`, [held.call.callId])
  await retryVendorQueries(deps)
  expect(await spent(held.userId)).toBe(held.bill)
  expect(await db.query('select cause, by from gateway_corrections where call_id = $1', [held.call.callId])).toEqual([{ cause: 'vendor', by: 'sweeper' }])
})
