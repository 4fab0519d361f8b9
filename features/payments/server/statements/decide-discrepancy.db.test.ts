import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { createPayingApp } from '../testing/paying.ts'
import { discrepancyCommands, queryDiscrepancyOrder, decideDiscrepancy } from './commands.ts'
import { compareStatementDay } from './compare-statements.ts'
import { selectOpenDiscrepancies } from './data.ts'

const app = await createPayingApp()
const { db, deps, open, paid, stateOf, balance } = app
const plan = (day: string) =>
  db.query(`insert into payments_statements (channel_type, day, next_check_at) values (25, $1, now()) on conflict do nothing`, [day])
const run = (faultId: bigint | string, verdict: 'approved' | 'dismissed') =>
  runOperatorCommand(deps, discrepancyCommands, { name: 'fault.decide', sent: { faultId: String(faultId), verdict } })
const journal = async () => (await db.query<{ n: bigint }>('select count(*) as n from wallet_transfers'))[0]!.n
const postedOf = async (kind: string, currency = 'CNY') =>
  (await db.query<{ posted: bigint }>(`select posted from wallet_accounts where kind = $1 and owner = 'system' and currency = $2`, [kind, currency]))[0]
    ?.posted ?? 0n
/** Returns the only fault about a trade in today's statement. */
const discrepancyOf = async (tradeNo: string) => {
  const today = toShanghaiDay(Date.now())
  await plan(today)
  await compareStatementDay(deps, 25, today)
  return (await selectOpenDiscrepancies(db, 100)).find((each) => each.tradeNo.startsWith(tradeNo))!
}
const lost = async (action = 'silent') => {
  const opened = await open()
  await pressCashier(opened.params, action)
  return { ...opened, fault: await discrepancyOf(opened.orderNo) }
}
/** A fault as the comparison writes it. */
const written = async (day: string, faultClass: string, { theirs, subject }: { readonly theirs: object; readonly subject: string }) => {
  await plan(day)
  const rows = await db.query<{ id: bigint }>(
    `insert into payments_faults (channel_type, day, class, kind, subject, trade_no, theirs) values (25, $1, $2, 'payment', $3, 'NOBODY', $4) returning id`,
    [day, faultClass, subject, JSON.stringify(theirs)],
  )
  return rows[0]!.id
}

test('an approved fault gives the order its money, and is open before and closed after', async () => {
  const { orderNo, userId, fault } = await lost()
  const { subject, before, did, after } = await run(fault.id, 'approved')
  expect([subject, before]).toEqual([`fault:${fault.id}`, { open: true, class: 'extra', kind: 'payment', day: fault.day, subject: fault.subject }])
  expect([did, after['open']]).toEqual([{ outcome: `approved: order ${orderNo} is fulfilled` }, false])
  expect([await balance(userId), await postedOf('suspense')]).toEqual([parseUsd('20'), 0n])
})

test('a fault decided by five at once is decided by one, and the order is credited once', async () => {
  const { orderNo, userId, fault } = await lost()
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => run(fault.id, 'approved')))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of all) if (each.status === 'rejected') expect(String(each.reason)).toContain('ORDER_NOT_FOUND')
  await expect(run(fault.id, 'dismissed')).rejects.toThrow('ORDER_NOT_FOUND')
  expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
  expect(await db.query('select state from payments_faults where id = $1', [fault.id])).toEqual([{ state: 'approved' }])
})

test('a dismissed fault moves nothing though the channel says paid, and keeps the operator and the reason', async () => {
  const { orderNo, userId, fault } = await lost()
  const before = await journal()
  expect((await run(fault.id, 'dismissed')).did).toEqual({ outcome: 'dismissed' })
  expect([await journal(), await stateOf(orderNo), await balance(userId)]).toEqual([before, 'paying', 0n])
  expect(await db.query('select state, actor, reason from payments_faults where id = $1', [fault.id])).toEqual([
    { state: 'dismissed', actor: 'operator:op-test', reason: 'a reason of some length' },
  ])
})

test('an approval that the channel does not confirm books nothing, and can be repeated', async () => {
  const { orderNo, userId, fault } = await lost()
  const silent = (await queryDiscrepancyOrder(deps, fault.id, 'approved')).map((answer) => ({ ...answer, fact: undefined }))
  await expect(decideDiscrepancy(deps, app.operator, { id: fault.id, verdict: 'approved', reason: 'seen', answers: silent })).rejects.toThrow('PAY_PROCESSING')
  expect([await balance(userId), (await selectOpenDiscrepancies(db, 100)).map(({ id }) => id)]).toEqual([0n, [fault.id]])
  expect((await run(fault.id, 'approved')).did).toEqual({ outcome: `approved: order ${orderNo} is fulfilled` })
  expect(await balance(userId)).toBe(parseUsd('20'))
})

test('approved money of a trade that its channel had refused to open, and that is asked about no more, waits in suspense', async () => {
  const { orderNo, userId, fault } = await lost()
  const before = await postedOf('suspense')
  await db.owner.query(`update payments_attempts set state = 'failed' where order_id = $1`, [await app.idOf(orderNo)])
  expect((await run(fault.id, 'approved')).did).toEqual({ outcome: 'approved: in suspense' })
  expect([await balance(userId), (await postedOf('suspense')) - before]).toEqual([0n, parseUsd('147.45')])
})

test('an approved payment of another amount waits in suspense and is not the customer’s', async () => {
  const { orderNo, userId, fault } = await lost('less')
  const before = await postedOf('suspense')
  expect((await run(fault.id, 'approved')).did).toEqual({ outcome: `approved: order ${orderNo} is integrity_failure` })
  expect([await balance(userId), (await postedOf('suspense')) - before]).toEqual([0n, parseUsd('0.01')])
})

test('an approved difference of the amount changes neither our receipt nor the journal', async () => {
  const { orderNo, userId } = await paid()
  await db.query(`update payments_sandbox_payments set minor = minor + 1 where token in (select token from payments_sandbox_trades where trade_no like $1)`, [
    `${orderNo}%`,
  ])
  const fault = await discrepancyOf(orderNo)
  const before = await journal()
  expect([fault.class, (await run(fault.id, 'approved')).did]).toEqual(['amount', { outcome: 'approved' }])
  expect([await journal(), await stateOf(orderNo), await balance(userId)]).toEqual([before, 'fulfilled', parseUsd('20')])
  const [receipt] = await db.query('select paid_minor from payments_receipts where order_id = $1', [await app.idOf(orderNo)])
  expect(receipt).toEqual({ paidMinor: 14_745n })
})

test('money that fits no order is in suspense once in its own currency, in however many files it stands', async () => {
  const theirs = { channelTxn: 'STRAY-1', minor: '905', currency: 'USD', at: '2026-11-20T04:00:00.000Z' }
  const [first, second] = [
    await written('2026-11-20', 'extra', { theirs, subject: 'STRAY-1' }),
    await written('2026-11-21', 'extra', { theirs, subject: 'STRAY-1' }),
  ]
  expect((await run(first, 'approved')).did).toEqual({ outcome: 'approved: in suspense' })
  await expect(run(second, 'approved')).rejects.toThrow()
  expect((await run(second, 'dismissed')).did).toEqual({ outcome: 'dismissed' })
  expect(await postedOf('suspense', 'USD')).toBe(parseUsd('9.05'))
  expect(await db.query(`select channel_txn, minor, currency, fault_id from payments_strays where channel_txn = 'STRAY-1'`)).toEqual([
    { channelTxn: 'STRAY-1', minor: 905n, currency: 'USD', faultId: first },
  ])
})

test('the channel’s fee of an approved line is a cost once, though its file has the line twice; of a dismissed line it is none', async () => {
  const line = { channelTxn: 'FEE-1', minor: '14745', currency: 'CNY', feeMinor: '88', feeCurrency: 'CNY' }
  const before = await postedOf('channel_costs')
  await run(await written('2026-11-20', 'fee', { theirs: { ...line, channelTxn: 'FEE-2' }, subject: 'FEE-2' }), 'dismissed')
  expect(await postedOf('channel_costs')).toBe(before)
  for (const faultClass of ['fee', 'duplicate']) await run(await written('2026-11-20', faultClass, { theirs: line, subject: 'FEE-1' }), 'approved')
  expect((await postedOf('channel_costs')) - before).toBe(-parseUsd('0.88'))
  expect(await db.query(`select fee_minor from payments_channel_costs where channel_txn in ('FEE-1', 'FEE-2')`)).toEqual([{ feeMinor: 88n }])
})

test('afterwards the ledger adds up', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
