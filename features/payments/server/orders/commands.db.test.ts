import { describe, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { computeRefundableByNo } from '../refunds/refundable-now.ts'
import { createRefundingApp } from '../testing/refunding.ts'
import { paymentOrderCommands } from './commands.ts'

const app = await createRefundingApp()
const { db, deps, paid, open, stateOf, balance, work, spend, ask, refunds } = app
const run = (name: string, orderNo: string, more: object = {}) => runOperatorCommand(deps, paymentOrderCommands, { name, sent: { orderNo, ...more } })

describe('order.refund', () => {
  test('a partial refund is weighed by what goes back, shown before and after, and the rest stays', async () => {
    const { orderNo, userId } = await paid()
    const { subject, weight, before, did, after } = await run('order.refund', orderNo, { amount: '5' })
    expect([subject, weight, did['amount']]).toEqual([`order:${orderNo}`, { userId, amount: parseUsd('5') }, '5'])
    expect(before).toMatchObject({ state: 'fulfilled', paid: true, payments: 1, refundable: '20', refunds: '', available: '20' })
    expect(after).toMatchObject({ state: 'refunding', refundable: '15', refunds: 'approved 5', available: '15' })
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['partially_refunded', parseUsd('15')])
  })

  test('a refund without an amount gives back all that is left, weighed by that and not by what was paid', async () => {
    const { orderNo, userId } = await paid()
    await spend(userId, '6')
    const { weight, did, after } = await run('order.refund', orderNo)
    expect([weight, did['amount'], after['refundable'], after['available']]).toEqual([{ userId, amount: parseUsd('14') }, '14', '0', '0'])
  })

  test('a refund above what is left is refused, and weighs no more than what is left', async () => {
    const { orderNo, userId } = await paid()
    await expect(run('order.refund', orderNo, { amount: '20.01' })).rejects.toThrow('ORDER_REFUND_TOO_LARGE')
    const command = paymentOrderCommands.find(({ name }) => name === 'order.refund')!
    expect(await command.weigh!(deps, { orderNo, amount: '999', withFee: false })).toEqual({ userId, amount: parseUsd('20') })
    expect([await refunds(orderNo), await balance(userId)]).toEqual([[], parseUsd('20')])
  })
})

test('the refund on offer is the one accepted: both are nothing beyond the days of the channel', async () => {
  const { orderNo } = await paid()
  await db.owner.query('alter table payments_receipts disable trigger all')
  await db.owner.query(
    `update payments_receipts set paid_at = now() - interval '400 days' where order_id = (select id from payments_orders where order_no = $1)`,
    [orderNo],
  )
  await db.owner.query('alter table payments_receipts enable trigger all')
  const command = paymentOrderCommands.find(({ name }) => name === 'order.refund')!
  expect([await computeRefundableByNo(deps, db, orderNo), (await command.weigh!(deps, { orderNo, withFee: false })).amount]).toEqual([0n, 0n])
  await expect(run('order.refund', orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
})

describe('a refund that a customer asked for', () => {
  test('order.reject sends nothing back, and the money is the customer’s again', async () => {
    const { orderNo, userId } = await paid()
    await ask(orderNo, userId, { amount: '8' })
    expect(await balance(userId)).toBe(parseUsd('12'))
    const { before, did, after } = await run('order.reject', orderNo)
    expect(before).toMatchObject({ state: 'refunding', refunds: 'requested 8', available: '12' })
    expect(did['done']).toMatch(/^refund R\S+ rejected$/)
    expect(after).toMatchObject({ state: 'fulfilled', refunds: 'rejected 8', refundable: '20', available: '20' })
    await work()
    expect((await refunds(orderNo)).map(({ state }) => state)).toEqual(['rejected'])
    expect((await verifyLedger(db)).problems).toEqual([])
  })

  test('order.approve is weighed by what waits alone, and sends it back', async () => {
    const { orderNo, userId } = await paid()
    await app.refund(orderNo, '3')
    await work()
    await ask(orderNo, userId, { amount: '8' })
    const { weight, did } = await run('order.approve', orderNo)
    expect(weight).toEqual({ userId, amount: parseUsd('8') })
    expect(did['done']).toMatch(/^refund R\S+ approved$/)
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['partially_refunded', parseUsd('9')])
    await expect(run('order.approve', orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
  })
})

describe('order.repair', () => {
  test('a payment without a notice is booked by the channel’s word, once', async () => {
    const { orderNo, userId, params } = await open()
    await pressCashier(params, 'silent')
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['paying', 0n])
    const { before, did, after } = await run('order.repair', orderNo)
    expect([before['paid'], did['state'], after['payments'], after['available']]).toEqual([false, 'fulfilled', 1, '20'])
    await run('order.repair', orderNo)
    expect(await balance(userId)).toBe(parseUsd('20'))
  })

  test('an order without a payment gets no booking', async () => {
    const { orderNo, userId } = await open()
    const { after } = await run('order.repair', orderNo)
    expect([after['paid'], after['payments'], await balance(userId)]).toEqual([false, 0, 0n])
  })

  test('an order that does not exist is not found by any of them', async () => {
    for (const { name } of paymentOrderCommands) await expect(run(name, '20260101-000000000000')).rejects.toThrow('ORDER_NOT_FOUND')
  })
})
