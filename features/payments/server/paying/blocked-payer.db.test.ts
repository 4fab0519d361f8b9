import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { createId } from '#platform/shared/ids.ts'
import { makeRowsDue, useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aPaidRechargeOrder } from '../builders.ts'
import { payments } from '../index.ts'
import { reconcile, workRefunds } from '../reconciling/reconcile.ts'

const product = [account, notices, payments, risk, wallet]
const all = [...product, createBackoffice(product)]
const db = await useTestDb({ max: 30 })
let url = ''
const overrides = { publicUrl: () => url }
const { app, call, deps, settle } = createTestApp({ features: all, db, overrides })
const clock = createRunningClock()
const desk = createTestApp({ features: all, db, overrides, surface: 'operators', clock })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

let officer: BuiltOperator
beforeAll(async () => {
  officer = await anOperator(desk.deps, ['risk'])
})
const preview = (name: string, input: object) => desk.call('POST', `/operator/do/${name}/preview`, input, { token: officer.token })
async function run(name: string, input: object) {
  const { data } = await preview(name, input)
  const why = { reasonCode: 'fraud', reason: 'a reason of some length', expects: data?.expects ?? 'a'.repeat(64) }
  return desk.call('POST', `/operator/do/${name}`, { ...input, ...why }, { token: officer.token, idempotencyKey: createId('k') })
}
const balance = async (userId: string) => (await readBalance(db, userId)).available
const stateOf = async (orderNo: string) => (await db.query<{ state: string }>('select state from payments_orders where order_no = $1', [orderNo]))[0]!.state
async function workUntilEnd(orderNo: string): Promise<string> {
  for (let at = 0; at < 6; at++) {
    await makeRowsDue(db.owner, 'payments_orders', { column: 'next_check_at' })
    await makeRowsDue(db.owner, 'payments_refunds', { column: 'next_check_at' })
    await reconcile(deps)
    await workRefunds(deps)
    await settle()
  }
  return stateOf(orderNo)
}
const rows = async () => (await desk.call('GET', '/operator/blocks', { kind: 'payer' }, { token: officer.token })).data.rows

test('a blocked payer’s payment is not credited and goes back whole, for any customer, who reads of no block', async () => {
  const id = `2088${createId('x').slice(-12)}`
  const done = await run('risk.block', { kind: 'payer', value: `25:${id}`, days: 30 })
  expect(done.data).toMatchObject({ state: 'done', canBeUndone: false })
  const user = await aUser(deps)
  const order = await aPaidRechargeOrder(deps, { userId: user.userId, payer: id })
  expect(await balance(user.userId)).toBe(0n)
  expect(await workUntilEnd(order.orderNo)).toBe('refunded')
  expect(await balance(user.userId)).toBe(0n)
  const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo: order.orderNo }, { token: user.token })
  const events = data.timeline.map(({ event }: { event: string }) => event)
  expect(events).toEqual(expect.arrayContaining(['turned_away', 'returning', 'refunded']))
  expect(JSON.stringify(data)).not.toMatch(/blocked/i)
  const mails = (await listSandboxMails(db, user.email)).map(({ text }) => text).join()
  expect(mails).toContain('原路退回')
  expect(mails).not.toMatch(/封锁|blocked/)
  expect(
    await db.query(`select count(*)::int as n from audit_rows where action = 'payment.payer-blocked' and target = $1`, [`order:${order.orderNo}`]),
  ).toEqual([{ n: 1 }])
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a block by customer id covers each payer of that customer; others pay as before, and after its end so do they', async () => {
  const [known, friend, stranger] = [await aUser(deps), await aUser(deps), await aUser(deps)]
  const payer = `fp_${createId('x').slice(-12)}`
  await aPaidRechargeOrder(deps, { userId: known.userId, payer })
  expect(await balance(known.userId)).toBe(parseUsd('20'))
  const done = await run('risk.block', { kind: 'payer', value: known.userId, days: 1 })
  expect(done.data).toMatchObject({ state: 'done', preview: { changes: expect.arrayContaining([{ name: 'payers', before: 1, after: 1 }]) } })
  await aPaidRechargeOrder(deps, { userId: friend.userId, payer })
  await aPaidRechargeOrder(deps, { userId: stranger.userId, payer: 'somebody else' })
  expect([await balance(friend.userId), await balance(stranger.userId)]).toEqual([0n, parseUsd('20')])
  await db.owner.query(`update risk_blocks set made_at = now() - interval '3 days', ends_at = now() - interval '1 second' where value = $1`, [known.userId])
  const again = await aUser(deps)
  await aPaidRechargeOrder(deps, { userId: again.userId, payer })
  expect(await balance(again.userId)).toBe(parseUsd('20'))
})

test('a payer’s id is stored nowhere in plain; the block is listed, and lifted, by a distinct name', async () => {
  const id = `2088canary${createId('x').slice(-12)}`
  const shown = await preview('risk.block', { kind: 'payer', value: `25:${id}`, days: 30 })
  expect(shown.data.subject).toMatch(/^block:payer:25:2088….{4}#[0-9a-f]{6}$/)
  const done = await run('risk.block', { kind: 'payer', value: `25:${id}`, days: 30 })
  const [row] = await rows()
  expect(row.value).toBe(shown.data.subject.slice('block:payer:'.length))
  const tables = ['risk_blocks', 'backoffice_commands', 'audit_rows', 'idempotency_keys', 'outbox']
  for (const table of tables)
    expect((await db.owner.query<{ t: string }>(`select t::text as t from ${table} t`)).map(({ t }) => t).join('\n')).not.toContain('canary')
  expect(JSON.stringify(done.data)).not.toContain('canary')
  expect((await preview('risk.block', { kind: 'payer', value: `25:${id}`, days: 3 })).data.shown.refusal).toMatchObject({ name: 'BAD_INPUT' })
  expect((await run('risk.unblock', { kind: 'payer', value: row.value })).data.state).toBe('done')
  const user = await aUser(deps)
  await aPaidRechargeOrder(deps, { userId: user.userId, payer: id })
  expect(await balance(user.userId)).toBe(parseUsd('20'))
  expect((await preview('risk.block', { kind: 'payer', value: 'usr_nobody', days: 3 })).status).toBe(404)
})

test('a payment made while the block is created is credited or sent back, never both, never neither', async () => {
  for (let at = 0; at < 4; at++) {
    const user = await aUser(deps)
    const id = createId('payer')
    const [order] = await Promise.all([
      aPaidRechargeOrder(deps, { userId: user.userId, payer: id }),
      run('risk.block', { kind: 'payer', value: `25:${id}`, days: 1 }),
    ])
    const [state, has] = [await workUntilEnd(order.orderNo), await balance(user.userId)]
    expect([
      ['fulfilled', parseUsd('20')],
      ['refunded', 0n],
    ]).toContainEqual([state, has])
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})
