import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { anOpenOrder, pressCashier } from '../builders.ts'
import type { TestOrderOptions } from '../builders.ts'
import { payments } from '../index.ts'
import { createChannelTools } from '../vendors/index.ts'
import { MERCHANT, NOTICE_KEYS, sealed } from '../vendors/sandbox/envelope.ts'
import { reconcile } from './reconcile.ts'

const db = await useTestDb({ max: 60 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
let url = ''
const clock = createTestClock()
const { app, deps } = createTestApp({ features: [payments, signIn], db, clock, overrides: { publicUrl: () => url } })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})

const { secret } = createChannelTools(deps)

type Body = Record<string, unknown>
const bodyFor = (tradeNo: string, over: Body = {}) =>
  Buffer.from(
    JSON.stringify({ merchant: MERCHANT, notice_id: createId('n'), event: 'trade.paid', trade_no: tradeNo, amount: '14745', currency: 'CNY', ...over }),
  )
const headersFor = (body: Buffer, at = clock.now(), key: string = NOTICE_KEYS[0]) => sealed(secret, key, at, body)
const send = (body: Buffer, headers: Record<string, string> = headersFor(body), channel = 'sandbox') =>
  fetch(`${url}/notify/${channel}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: new Uint8Array(body) }).then(
    async (reply) => ({ status: reply.status, body: await reply.text() }),
  )
const DONE = { status: 200, body: 'success' }

const open = async (wish: TestOrderOptions = {}) => {
  const opened = await anOpenOrder(deps, wish)
  const [trade] = await db.query<{ tradeNo: string; id: bigint }>(
    'select a.trade_no, o.id from payments_attempts a join payments_orders o on o.id = a.order_id where o.order_no = $1',
    [opened.order.orderNo],
  )
  return { ...opened, userId: opened.ctx.userId, tradeNo: trade!.tradeNo, orderNo: opened.order.orderNo }
}
const stateOf = async (orderNo: string) => (await db.query<{ state: string }>('select state from payments_orders where order_no = $1', [orderNo]))[0]!.state
const balance = async (userId: string) => (await readBalance(db, userId)).available
const effects = async () =>
  (
    await db.query<{ n: bigint }>(
      `select (select count(*) from payments_notices) + (select count(*) from payments_receipts) + (select count(*) from payments_order_steps) as n`,
    )
  )[0]!.n

describe('W1: duplicates', () => {
  test('fifty notices one after the other and one after thirty days give one credit, each acknowledged', async () => {
    const { params, tradeNo, orderNo, userId } = await open()
    await pressCashier(params, 'silent')
    const body = bodyFor(tradeNo)
    for (let i = 0; i < 50; i++) expect(await send(body)).toEqual(DONE)
    clock.advance(30 * 86_400_000)
    expect(await send(body)).toEqual(DONE)
    clock.advance(-30 * 86_400_000)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  })
  test('fifty notices at once, of ten orders, give one credit each', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()))
    await Promise.all(opened.map(({ params }) => pressCashier(params, 'silent')))
    const bodies = opened.map(({ tradeNo }) => bodyFor(tradeNo))
    const answers = await Promise.all(Array.from({ length: 5 }).flatMap(() => bodies.map((body) => send(body))))
    expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set(['success']))
    for (const { orderNo, userId } of opened) expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  })
})

test('W2: every order of scanned, declined and paid ends the same, and nothing goes back', async () => {
  const permutations = [
    ['trade.scanned', 'trade.declined', 'trade.paid'],
    ['trade.scanned', 'trade.paid', 'trade.declined'],
    ['trade.declined', 'trade.scanned', 'trade.paid'],
    ['trade.declined', 'trade.paid', 'trade.scanned'],
    ['trade.paid', 'trade.scanned', 'trade.declined'],
    ['trade.paid', 'trade.declined', 'trade.scanned'],
  ]
  for (const events of permutations) {
    const { params, tradeNo, orderNo, userId } = await open()
    for (const event of events) {
      if (event === 'trade.paid') await pressCashier(params, 'silent')
      expect(await send(bodyFor(tradeNo, { event }))).toEqual(DONE)
    }
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  }
})

test('W3: a notice before our rows commit is not acknowledged; its repetition credits', async () => {
  const { params, tradeNo, orderNo, userId } = await open()
  await pressCashier(params, 'silent')
  await db.owner.query(`update payments_attempts set trade_no = trade_no || 'x' where trade_no = $1`, [tradeNo])
  const body = bodyFor(tradeNo)
  expect((await send(body)).status).toBe(503)
  expect(await balance(userId)).toBe(0n)
  await db.owner.query(`update payments_attempts set trade_no = $1 where trade_no = $1 || 'x'`, [tradeNo])
  expect(await send(body)).toEqual(DONE)
  expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
})

test('W4: forgeries have no effect', async () => {
  const { params, tradeNo, userId } = await open()
  const other = await open()
  await pressCashier(params, 'silent')
  const good = bodyFor(tradeNo)
  const head = headersFor(good)
  const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)
  const sign = (algorithm: string, key: Buffer, body: Buffer) =>
    createHmac(algorithm, key).update(`HMAC-SHA256\n${head['sandbox-key']}\n${head['sandbox-time']}\n`).update(body).digest('base64url')
  const replace = (from: string, to: string) => Buffer.from(good.toString().replace(from, to))
  const without = (name: string) => Object.fromEntries(Object.entries(head).filter(([key]) => key !== name))
  const forged: Record<string, [Buffer, Record<string, string>]> = {
    'no headers': [good, {}],
    'no signature': [good, without('sandbox-signature')],
    'no key id': [good, without('sandbox-key')],
    'no time': [good, without('sandbox-time')],
    'no algorithm': [good, without('sandbox-algorithm')],
    'empty signature': [good, { ...head, 'sandbox-signature': '' }],
    'wrong key': [good, { ...head, 'sandbox-signature': sign('sha256', Buffer.alloc(32, 1), good) }],
    'the merchant key': [good, sealed(secret, 'sandbox-merchant-key', clock.now(), good)],
    'unknown key id': [good, { ...headersFor(good, clock.now(), 'sandbox-key-9') }],
    'key id swapped': [good, { ...head, 'sandbox-key': NOTICE_KEYS[1] }],
    'another merchant': [bodyFor(tradeNo, { merchant: 'other' }), headersFor(bodyFor(tradeNo, { merchant: 'other' }))],
    'tampered amount': [replace('14745', '1'), head],
    'tampered currency': [replace('CNY', 'USD'), head],
    'tampered trade': [replace(tradeNo, other.tradeNo), head],
    'cut body': [good.subarray(0, -1), head],
    'longer body': [Buffer.concat([good, Buffer.from(' ')]), head],
    'empty body': [Buffer.alloc(0), head],
    'signature of another body': [good, headersFor(bodyFor(other.tradeNo))],
    'algorithm sha1': [good, { ...head, 'sandbox-algorithm': 'HMAC-SHA1', 'sandbox-signature': sign('sha1', secret(NOTICE_KEYS[0]), good) }],
    'algorithm none': [good, { ...head, 'sandbox-algorithm': 'none', 'sandbox-signature': '' }],
    'stale by 301 s': [good, headersFor(good, at(-301))],
    'ahead by 301 s': [good, headersFor(good, at(302))],
    'time moved': [good, { ...head, 'sandbox-time': String(Number(head['sandbox-time']) + 1) }],
    'signed but not JSON': [Buffer.from('hello'), headersFor(Buffer.from('hello'))],
  }
  const before = await effects()
  for (const [name, [body, headers]] of Object.entries(forged)) expect([name, (await send(body, headers)).status]).toEqual([name, 400])
  expect((await send(good, head, 'nobody')).status).toBe(404)
  expect([await effects(), await balance(userId)]).toEqual([before, 0n])
  expect(await send(good)).toEqual(DONE)
})

describe('W5: another amount', () => {
  test('is parked in suspense and never credited in full', async () => {
    const { params, tradeNo, orderNo, userId } = await open()
    await pressCashier(params, 'less')
    expect(await send(bodyFor(tradeNo, { amount: '1' }))).toEqual(DONE)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['integrity_failure', 0n])
    expect(
      await db.query(
        `select t.amount, t.currency, t.credit_kind from wallet_transfers t join wallet_transactions w on w.id = t.transaction_id where w.ref like $1`,
        [`order:${orderNo}:%`],
      ),
    ).toEqual([{ amount: 10_000_000n, currency: 'CNY', creditKind: 'suspense' }])
    expect(await db.query(`select event from outbox where payload->>'orderNo' = $1`, [orderNo])).toEqual([{ event: 'order.mismatch' }])
  })
  test('one fen too much is another amount, too', async () => {
    const { params, tradeNo, orderNo, userId } = await open()
    await pressCashier(params, 'silent')
    await db.query(`update payments_sandbox_payments set minor = minor + 1 where token = $1`, [params.payUrl.split('/').at(-1)])
    expect(await send(bodyFor(tradeNo))).toEqual(DONE)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['integrity_failure', 0n])
  })
  test('the query’s amount counts, not the one of a validly signed notice', async () => {
    const { params, tradeNo, orderNo, userId } = await open()
    expect((await send(bodyFor(tradeNo))).status).toBe(503) // Notice says paid; the trade is not.
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['paying', 0n])
    await pressCashier(params, 'silent')
    expect(await send(bodyFor(tradeNo, { amount: '1', currency: 'USD' }))).toEqual(DONE)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  })
  test('another currency is parked in its own', async () => {
    const { params, tradeNo, orderNo } = await open()
    await pressCashier(params, 'silent')
    await db.query(`update payments_sandbox_payments set currency = 'HKD' where token = $1`, [params.payUrl.split('/').at(-1)])
    expect(await send(bodyFor(tradeNo))).toEqual(DONE)
    expect(await stateOf(orderNo)).toBe('integrity_failure')
    expect(
      await db.query(`select r.currency, outcome from payments_receipts r join payments_orders o on o.id = r.order_id where order_no = $1`, [orderNo]),
    ).toEqual([{ currency: 'HKD', outcome: 'suspense' }])
  })
})

test('W6: a notice is verified if and only if its bytes are untouched', async () => {
  const { params, tradeNo } = await open()
  await pressCashier(params, 'silent')
  const vectors = [
    (id: string) => `{"merchant":"${MERCHANT}","notice_id":"${id}","event":"trade.paid","trade_no":"${tradeNo}","amount":"14745","currency":"CNY"}`,
    (id: string) => `{ "currency" : "CNY", "amount":"14745",\n"trade_no":"${tradeNo}","event":"trade.paid","notice_id":"${id}","merchant":"${MERCHANT}" }`,
    (id: string) =>
      `{"merchant":"${MERCHANT}","notice_id":"${id}","event":"trade.paid","trade_no":"${tradeNo}","amount":"14745","currency":"CNY","note":"充值+a%2Bb\\u5145 é 💴"}`,
    (id: string) =>
      `{"merchant":"x","merchant":"${MERCHANT}","notice_id":"${id}","event":"trade.paid","trade_no":"${tradeNo}","amount":"14745","currency":"CNY"}`,
  ]
  for (const vector of vectors) {
    const body = Buffer.from(vector(createId('n')))
    expect(await send(body)).toEqual(DONE)
    expect(await send(body, { ...headersFor(body), 'content-type': 'application/x-www-form-urlencoded' })).toEqual(DONE)
    const again = Buffer.from(`${JSON.stringify(JSON.parse(body.toString()))} `)
    const touched = [
      again,
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
      Buffer.from(body.toString().replace('"CNY"', '"CN\\u0059"')),
      Buffer.from(body.toString('latin1') + ' '),
      gzipSync(body),
    ]
    for (const bytes of touched) expect((await send(bytes, headersFor(body))).status).toBe(400)
    expect((await send(gzipSync(body), { ...headersFor(body), 'content-encoding': 'gzip' })).status).toBe(400)
  }
})

test('W8: the reconciler credits a payment whose notice never comes', async () => {
  const opened = await Promise.all(Array.from({ length: 12 }, () => open({ amount: '20.13' })))
  await Promise.all(opened.map(({ params }) => pressCashier(params, 'pay')))
  await db.owner.query(`update payments_orders set next_check_at = now() where state = 'paying'`)
  await reconcile(deps)
  for (const { orderNo, userId } of opened) expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20.13')])
})

test('W9: a handler that dies after the notice row leaves nothing; the repetition credits', async () => {
  const { params, tradeNo, orderNo, userId } = await open()
  await pressCashier(params, 'silent')
  await db.owner.query(
    `create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'power cut'; end $$; create trigger fail_once before insert on payments_receipts for each row execute function fail_once()`,
  )
  const body = bodyFor(tradeNo)
  expect((await send(body)).status).toBe(500)
  expect([
    await stateOf(orderNo),
    await balance(userId),
    (await db.query('select 1 as n from payments_notices where trade_no = $1', [tradeNo])).length,
  ]).toEqual(['paying', 0n, 0])
  await db.owner.query('drop trigger fail_once on payments_receipts; drop function fail_once')
  expect(await send(body)).toEqual(DONE)
  expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
})

test('W11, W12: the acknowledgement is exact to the byte, and both keys are good', async () => {
  const { params, tradeNo } = await open()
  await pressCashier(params, 'silent')
  for (const key of NOTICE_KEYS) {
    const body = bodyFor(tradeNo)
    const reply = await fetch(`${url}/notify/sandbox`, { method: 'POST', headers: headersFor(body, clock.now(), key), body: new Uint8Array(body) })
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from('success'))
  }
})

test("afterwards the sandbox's own book equals ours, and the ledger adds up", async () => {
  const differences = await db.query(`select p.txn, r.channel_txn from payments_sandbox_payments p full join payments_receipts r
    on r.channel_txn = p.txn and r.paid_minor = p.minor and r.currency = p.currency and r.channel_type = 25 where p.txn is null or r.id is null`)
  expect(differences).toEqual([])
  expect(await db.query(`select r.ledger_ref from payments_receipts r left join wallet_transactions w on w.ref = r.ledger_ref where w.id is null`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
