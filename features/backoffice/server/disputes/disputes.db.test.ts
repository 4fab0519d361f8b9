import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { makeRowsDue, useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { anOpenOrder, aPaidRechargeOrder, pressCashier } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'

const product = [account, notices, payments, risk, wallet]
const all = [...product, createBackoffice(product)]
const db = await useTestDb()
let url = ''
const overrides = { publicUrl: () => url }
const site = createTestApp({ features: all, db, overrides })
url = await site.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => site.app.close())
const { call, deps } = createTestApp({ features: all, db, overrides, surface: 'operators' })
const job = (name: string) => product.flatMap((feature) => feature.jobs ?? []).find((each) => each.name === name)!
/** Order amount for which the sandbox opens a chargeback that is not decided automatically. */
const DISPUTED = '20.31'
const WORDS = 'The customer has spent the credit on calls since the payment.'

let finance: BuiltOperator
let user: BuiltUser
beforeAll(async () => {
  finance = await anOperator(deps, ['finance'], { name: 'Lin Ke' })
})
async function aDispute(): Promise<{ orderNo: string; disputeId: string }> {
  user = await aUser(deps, { email: `canary-${createId('x').slice(-8).toLowerCase()}@example.com` })
  const { orderNo } = await aPaidRechargeOrder(deps, { userId: user.userId, amount: DISPUTED })
  await db.query(`update payments_sandbox_disputes set created_at = now() - interval '1 second' where created_at > now()`)
  await reconcileAgain()
  const [row] = await db.query<{ disputeId: string }>(
    'select d.dispute_id from payments_disputes d join payments_orders o on o.id = d.order_id where o.order_no = $1',
    [orderNo],
  )
  return { orderNo, disputeId: row!.disputeId }
}
async function reconcileAgain(): Promise<void> {
  await makeRowsDue(db.owner, 'payments_orders', { column: 'next_check_at' })
  await job('payments.reconcile').handle(deps, {} as never)
}
const send = () => job('payments.evidence').handle(deps, {} as never)
const get = async (path: string, input: object) => (await call('GET', `/operator/${path}`, input, { token: finance.token })).data
const readDisputeView = (disputeId: string) => get('dispute', { channelType: 25, disputeId })
const preview = (disputeId: string, words = WORDS, who = finance) =>
  call('POST', '/operator/do/dispute.submit/preview', { channelType: 25, disputeId, words }, { token: who.token })
async function submit(disputeId: string, words = WORDS) {
  const { data } = await preview(disputeId, words)
  const input = { channelType: 25, disputeId, words, reasonCode: 'correction', reason: 'a reason of some length', expects: data?.expects ?? 'a'.repeat(64) }
  return call('POST', '/operator/do/dispute.submit', input, { token: finance.token, idempotencyKey: createId('k') })
}
async function rule(): Promise<void> {
  await db.query(`update payments_sandbox_disputes set state = turns_to, turns_to = null, turns_at = null where turns_at is not null`)
  await reconcileAgain()
}

test('an operator sees a dispute’s deadline and facts, and no contact; evidence reaches the channel, whose ruling is kept', async () => {
  const { orderNo, disputeId } = await aDispute()
  const before = await readDisputeView(disputeId)
  expect(before).toMatchObject({ orderNo, state: 'open', isOpen: true, evidence: null, facts: { receipt: expect.stringContaining(orderNo) } })
  expect((Date.parse(before.dueAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 1)
  expect(before.facts.access).toContain('UTC+8')
  expect(JSON.stringify(before)).not.toContain('canary')
  const [item] = (await get('work', { kind: 'dispute' })).rows
  expect(item).toMatchObject({ note: 'dispute', risk: 'high' })
  const early = Date.parse(before.dueAt) - Date.parse(item.dueAt)
  expect(early, 'the list gives whole minutes, and never one that the channel does not').toBeGreaterThanOrEqual(0)
  expect(early).toBeLessThan(60_000)
  expect((await submit(disputeId)).data).toMatchObject({ state: 'done' })
  expect(await readDisputeView(disputeId)).toMatchObject({ isOpen: false, evidence: { state: 'waiting', words: WORDS, by: finance.id } })
  await send()
  expect(await readDisputeView(disputeId)).toMatchObject({ evidence: { state: 'taken' }, facts: before.facts })
  const [kept] = await db.query<{ evidence: { words: string; facts: { receipt: string } } }>(
    'select evidence from payments_sandbox_disputes where dispute_id = $1',
    [disputeId],
  )
  expect(kept!.evidence).toMatchObject({ words: WORDS, facts: { receipt: expect.stringContaining(orderNo) } })
  expect((await get('work', { kind: 'dispute' })).rows[0]).toMatchObject({ note: 'disputeAnswered', risk: 'low' })
  await rule()
  expect(await readDisputeView(disputeId)).toMatchObject({ state: 'won', isOpen: false })
  expect((await get('order', { orderNo })).state).toBe('fulfilled')
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('evidence is refused after a submission, a ruling or the deadline; a dispute can be lost despite evidence', async () => {
  const { disputeId } = await aDispute()
  await submit(disputeId, 'We are going to lose this one, and say so.')
  expect((await preview(disputeId)).data.shown.refusal).toEqual({ name: 'DISPUTE_CLOSED', data: null })
  await send()
  await rule()
  expect(await readDisputeView(disputeId)).toMatchObject({ state: 'lost', evidence: { state: 'taken' } })
  const late = await aDispute()
  await db.owner.query(`update payments_disputes set due_at = now() - interval '1 second' where dispute_id = $1`, [late.disputeId])
  expect((await preview(late.disputeId)).data.shown.refusal).toMatchObject({ name: 'DISPUTE_CLOSED' })
  expect((await preview('none')).status).toBe(404)
  const [{ id }] = (await db.query<{ id: bigint }>('select id from payments_disputes where dispute_id = $1', [disputeId])) as [{ id: bigint }]
  await db.owner.query('delete from payments_evidence where dispute_pk = $1', [id]).catch(() => {})
  await expect(
    db.query(`insert into payments_evidence (evidence_no, dispute_pk, words, facts, asked_by) values ('E20261121-0000000000AA', $1, 'x', '{}', 'x')`, [id]),
  ).rejects.toThrow(/closed/)
})

test('a submission without a response is retried under the same number; a refused one keeps the channel’s reason', async () => {
  const { disputeId } = await aDispute()
  await submit(disputeId)
  const away = { ...deps, publicUrl: () => 'http://127.0.0.1:9' }
  await job('payments.evidence').handle(away, {} as never)
  expect(await readDisputeView(disputeId)).toMatchObject({ evidence: { state: 'waiting' } })
  await db.owner.query(`update payments_evidence set next_check_at = now() where state = 'waiting'`)
  await Promise.all([send(), send(), send()])
  expect(await readDisputeView(disputeId)).toMatchObject({ evidence: { state: 'taken' } })
  const other = await aDispute()
  await submit(other.disputeId)
  await db.query(`update payments_sandbox_disputes set evidence_no = 'somebody-else' where dispute_id = $1`, [other.disputeId])
  await send()
  expect(await readDisputeView(other.disputeId)).toMatchObject({ evidence: { state: 'refused', refusal: 'no evidence is taken any more' } })
})

test('accepted evidence whose response was lost before the ruling is not marked refused', async () => {
  const { disputeId } = await aDispute()
  await submit(disputeId)
  const { fetch } = globalThis
  const cut = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...call) => {
    await fetch(...call)
    throw new Error('the line was cut behind the request')
  })
  await send()
  expect(cut).toHaveBeenCalledOnce()
  cut.mockRestore()
  expect(await readDisputeView(disputeId)).toMatchObject({ evidence: { state: 'waiting' } })
  await rule()
  expect(await readDisputeView(disputeId)).toMatchObject({ state: 'won', evidence: { state: 'waiting' } })
  await db.owner.query(`update payments_evidence set next_check_at = now() where state = 'waiting'`)
  await send()
  expect(await readDisputeView(disputeId)).toMatchObject({ state: 'won', evidence: { state: 'taken' } })
})

test('an operator who may not decide payments submits no evidence', async () => {
  const { disputeId } = await aDispute()
  expect((await preview(disputeId, WORDS, await anOperator(deps, ['support']))).status).toBe(403)
  expect((await preview(disputeId, 'too short')).status).toBe(400)
})

test('a payment of another amount waits in the list until its money is on its way back', async () => {
  const { order, params } = await anOpenOrder(deps, { userId: (await aUser(deps)).userId })
  await pressCashier(params, 'less')
  await reconcileAgain()
  const waiting = async () => (await get('work', { kind: 'suspense' })).rows.map(({ title }: { title: string }) => title)
  expect([await waiting(), (await get('work/counts', {})).kinds.suspense]).toEqual([[order.orderNo], 1])
  const target = { orderNo: order.orderNo, withFee: true }
  const { data } = await call('POST', '/operator/do/order.refund/preview', target, { token: finance.token })
  const input = { ...target, reasonCode: 'correction', reason: 'a reason of some length', expects: data.expects }
  expect((await call('POST', '/operator/do/order.refund', input, { token: finance.token, idempotencyKey: createId('k') })).code).toBe(200)
  expect([await waiting(), (await get('work/counts', {})).kinds.suspense ?? 0]).toEqual([[], 0])
})

test('a payment that matches no order waits for a person until it is charged back', async () => {
  const { userId } = await aUser(deps, {})
  const { order, params } = await anOpenOrder(deps, { userId, amount: DISPUTED })
  await pressCashier(params, 'less')
  await reconcileAgain()
  const waits = async () =>
    [...(await get('work', { kind: 'suspense' })).rows, ...(await get('work', { kind: 'dispute' })).rows]
      .filter(({ title }: { title: string }) => title === order.orderNo)
      .map(({ kind }: { kind: string }) => kind)
  expect(await waits()).toEqual(['suspense'])
  await db.query(`update payments_sandbox_disputes set created_at = now() - interval '1 second' where created_at > now()`)
  await reconcileAgain()
  expect(await waits()).toEqual(['dispute'])
})
