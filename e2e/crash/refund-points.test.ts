import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { isProcessAlive, persistThroughCrashes } from './persist.ts'

// L6 for refunds: the process is killed at each named point of a refund, five times; the visitor retries with the same key, and the payer
// receives the money once, without manual intervention. Likewise the channel receives evidence against a dispute once. The sandbox's own
// book is the reference.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = ['payments.refund-before-commit', 'payments.before-refund-call', 'payments.after-refund-call']
const PAY = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }

let server: TestServer
let db: Db
let token: string

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail' }, crashes: true })
  db = connect(server.databaseUrl, { max: 2 })
  // no balance must be kept, so that an order can be refunded in full
  await db.query(
    `insert into settings (key, value, updated_by) values ('payments.user_refunds', '"auto"', 'system:test'), ('payments.withdraw_keep', '"0"', 'system:test')`,
  )
  token = (await registerByHttp(server)).token
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

const callWithKey = (method: 'GET' | 'POST', path: string, { input, key }: { readonly input: object; readonly key?: string }) =>
  callPlatform(server, method, { path, input, headers: { accesstoken: token, ...(key ? { 'idempotency-key': key } : {}) } })

async function aPaidOrder(amount = '5'): Promise<string> {
  const { orderNo } = (await callWithKey('POST', '/api/go/v1/payOrder', { input: { orderType: 10, amount, ...PAY }, key: randomUUID() })).data as {
    orderNo: string
  }
  const { payUrl } = (await callWithKey('POST', '/api/go/v1/payParam', { input: { order_id: orderNo, ...PAY } })).data as { payUrl: string }
  await fetch(payUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
  await persistThroughCrashes(server, async () =>
    (await callWithKey('POST', '/v1/pay/tradeStatus', { input: { orderNo } })).data?.state === 'fulfilled' ? true : undefined,
  )
  return orderNo
}

test.each(POINTS)(
  '%s',
  async (point) => {
    for (let kill = 0; kill < KILLS; kill++) {
      const orderNo = await aPaidOrder()
      server.crashAt(point)
      const killed = server.pid()
      const key = randomUUID()
      const refund = async () => {
        const reply = await callWithKey('POST', '/pay/refund', { input: { orderNo }, key })
        if (reply.code !== 200) throw new Error(reply.msg)
        return reply.data as { refundNo: string }
      }
      const { refundNo } = await persistThroughCrashes(server, refund)
      await persistThroughCrashes(server, async () => {
        // a call whose process died is queried after half a minute; the test does not wait
        if (server.pid() !== killed)
          await db.query('update payments_refunds set next_check_at = now() where refund_no = $1 and next_check_at > now()', [refundNo])
        return (await callWithKey('POST', '/v1/pay/tradeStatus', { input: { orderNo } })).data?.state === 'refunded' ? true : undefined
      })
      expect(server.pid(), `${point} was never reached`).not.toBe(killed)
      expect((await refund()).refundNo).toBe(refundNo)
    }
    const [books] = await db.query(`select
    (select count(*)::int from payments_orders) as orders,
    (select count(*)::int from payments_orders where state = 'refunded') as refunded,
    (select count(*)::int from payments_refunds where state = 'succeeded') as refunds,
    (select count(*)::int from payments_sandbox_refunds where state = 'succeeded') as theirs,
    (select coalesce(sum(posted), 0)::bigint from wallet_accounts where kind in ('customer', 'in_transit')) as left_over`)
    expect(books).toEqual({ orders: books?.['orders'], refunded: books?.['orders'], refunds: books?.['orders'], theirs: books?.['orders'], leftOver: 0n })
    expect((await verifyLedger(db)).problems).toEqual([])
  },
  600_000,
)

/** A dispute opened by the payer (the sandbox opens one at 31 cents). */
async function aDispute(): Promise<{ pk: bigint; id: string }> {
  const orderNo = await aPaidOrder('5.31')
  return persistThroughCrashes(server, async () => {
    await db.query('update payments_orders set next_check_at = now() where order_no = $1', [orderNo])
    const rows = await db.query<{ pk: bigint; id: string }>(
      'select d.id as pk, d.dispute_id as id from payments_disputes d join payments_orders o on o.id = d.order_id where o.order_no = $1',
      [orderNo],
    )
    return rows[0]
  })
}

/** The evidence reference that the channel has stored. */
const selectEvidenceNumber = async (disputeId: string) =>
  (await db.query<{ evidenceNo: string | null }>('select evidence_no from payments_sandbox_disputes where dispute_id = $1', [disputeId]))[0]!.evidenceNo

test.each(['payments.evidence-before-call', 'payments.evidence-after-call'])('%s: the channel has the evidence, once', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const { pk, id } = await aDispute()
    const evidenceNo = `E20261126-${createRandomCode(12)}`
    server.crashAt(point)
    await db.query(
      `insert into payments_evidence (evidence_no, dispute_pk, words, facts, asked_by) values ($1, $2, 'It was delivered and used.', '{}', 'test')`,
      [evidenceNo, pk],
    )
    await expect.poll(() => isProcessAlive(server.pid()), { timeout: PATIENCE_MS }).toBe(false)
    expect(await selectEvidenceNumber(id)).toBe(point.endsWith('after-call') ? evidenceNo : null)
    const ended = await persistThroughCrashes(server, async () => {
      await db.query(`update payments_evidence set next_check_at = now() where evidence_no = $1 and next_check_at > now()`, [evidenceNo])
      const [row] = await db.query<{ state: string; checks: number }>('select state, checks from payments_evidence where evidence_no = $1', [evidenceNo])
      return row!.state === 'waiting' ? undefined : row
    })
    expect(ended.state).toBe('taken')
    expect(ended.checks).toBeGreaterThan(1)
    expect(await selectEvidenceNumber(id)).toBe(evidenceNo)
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})
