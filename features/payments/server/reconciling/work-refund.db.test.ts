import { describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { refundOrder } from '../orders/repair-order.ts'
import { findMagicCents, createRefundingApp } from '../testing/refunding.ts'
import type { RefundFact } from '../vendors/port.ts'
import { applyRefundFact } from './work-refund.ts'

const app = await createRefundingApp()
const { db, deps, paid, open, stateOf, balance, news, work, refund, refunds } = app
const slow = `20.${findMagicCents('refund-slow')}`
const apply = (id: bigint, status: RefundFact['status']) => transact(db, SYSTEM, (tx) => applyRefundFact(tx, id, { status }))
const idOf = async (refundNo: string) => (await db.query<{ id: bigint }>('select id from payments_refunds where refund_no = $1', [refundNo]))[0]!.id
const selectSentEvents = async (orderNo: string, event: string) => (await news(orderNo)).filter((each) => each === event).length
const withFee = (orderNo: string, amount?: string) =>
  refundOrder(deps, app.operator, { orderNo, withFee: true, reason: 'test', ...(amount === undefined ? {} : { amount: parseUsd(amount) }) })
/** Seconds until the next check; null for none. */
const waits = async (id: bigint) =>
  (
    await db.query<{ s: number | null }>('select round(extract(epoch from next_check_at - clock_timestamp()))::int as s from payments_refunds where id = $1', [
      id,
    ])
  )[0]!.s
/** Creates a refund of eight dollars that is in progress. */
const aPendingRefund = async () => {
  const { orderNo, userId } = await paid({ amount: slow })
  const id = await idOf((await refund(orderNo, '8')).refundNo)
  await work()
  expect((await refunds(orderNo))[0]!.state).toBe('dispatched')
  return { orderNo, userId, id }
}
const [ALL, LESS] = [parseUsd(slow), parseUsd(slow) - parseUsd('8')]

describe('answers of the channel', () => {
  test('ten concurrent answers of success send the money once and report it once', async () => {
    const { orderNo, userId, id } = await aPendingRefund()
    await Promise.all(Array.from({ length: 10 }, () => apply(id, 'succeeded')))
    expect([await stateOf(orderNo), await balance(userId), await selectSentEvents(orderNo, 'order.refunded')]).toEqual(['partially_refunded', LESS, 1])
  })

  test('a finished refund is undone by no late answer but its return, and by that once', async () => {
    const { orderNo, userId, id } = await aPendingRefund()
    await apply(id, 'succeeded')
    for (const late of ['pending', 'stuck', 'not_found', 'refused', 'succeeded'] as const) {
      await apply(id, late)
      expect([late, (await refunds(orderNo))[0]!.state, await balance(userId)]).toEqual([late, 'succeeded', LESS])
    }
    await Promise.all(Array.from({ length: 5 }, () => apply(id, 'failed')))
    expect([(await refunds(orderNo))[0]!.state, await stateOf(orderNo), await balance(userId)]).toEqual(['reversed', 'fulfilled', ALL])
    for (const late of ['succeeded', 'failed', 'refused'] as const) await apply(id, late)
    expect([(await refunds(orderNo))[0]!.state, await balance(userId), await selectSentEvents(orderNo, 'order.refund_failed')]).toEqual(['reversed', ALL, 1])
  })

  test('done and failed at once give the money to the customer again, once', async () => {
    for (let round = 0; round < chooseRounds(5, 100); round++) {
      const { orderNo, userId, id } = await aPendingRefund()
      await Promise.all((['succeeded', 'failed', 'succeeded', 'failed'] as const).map((status) => apply(id, status)))
      expect(['failed', 'reversed']).toContain((await refunds(orderNo))[0]!.state)
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', ALL])
    }
  })

  test('an answer about a refund that has not left does not count', async () => {
    const { orderNo, userId } = await paid()
    const id = await idOf((await refund(orderNo, '8')).refundNo)
    for (const early of ['succeeded', 'failed', 'refused', 'pending'] as const) await apply(id, early)
    expect([(await refunds(orderNo))[0]!.state, await stateOf(orderNo), await balance(userId)]).toEqual(['approved', 'refunding', parseUsd('12')])
  })
})

describe('the next check of a refund', () => {
  test('comes less and less often while it is on its way, never less than hourly', async () => {
    const { id } = await aPendingRefund()
    const seen = [await waits(id)]
    for (let look = 0; look < 10; look++) {
      await work()
      seen.push(await waits(id))
    }
    // Allows for delays on a slow machine.
    for (const [at, seconds] of [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600].entries())
      expect([seen[at]! > seconds / 2, seen[at]! <= seconds]).toEqual([true, true])
  })

  test('comes after a day once it is done, after five more, then never', async () => {
    const { orderNo } = await paid()
    const id = await idOf((await refund(orderNo)).refundNo)
    const days: (number | null)[] = []
    for (let look = 0; look < 3; look++) {
      await work()
      const seconds = await waits(id)
      days.push(seconds === null ? null : Math.round(seconds / 86_400))
    }
    expect([days, (await refunds(orderNo))[0]!.state]).toEqual([[1, 5, null], 'succeeded'])
  })
})

describe('the amount of a refund', () => {
  test('parts with their fees come to what was paid, whatever the parts', async () => {
    const { orderNo, userId } = await paid()
    for (const amount of ['6.67', '0.01', '6.66']) {
      await withFee(orderNo, amount)
      await work()
    }
    await withFee(orderNo)
    await work()
    const rows = await db.query<{ feeNano: bigint; minor: bigint }>('select fee_nano, minor from payments_refunds where order_id = $1', [
      await app.idOf(orderNo),
    ])
    expect([rows.reduce((all, row) => all + row.feeNano, 0n), rows.reduce((all, row) => all + row.minor, 0n)]).toEqual([parseUsd('0.7'), 14_745n])
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunded', 0n])
  })

  test.each([
    ['0', 'ORDER_REFUND_KEEPS'],
    ['0.000000001', 'ORDER_NOT_REFUNDABLE'],
    ['20.000000001', 'ORDER_REFUND_TOO_LARGE'],
  ])('a refund of %s dollars is refused with %s and sets nothing aside', async (amount, refusal) => {
    const { orderNo, userId } = await paid()
    await expect(refund(orderNo, amount)).rejects.toThrow(refusal)
    expect([await refunds(orderNo), await stateOf(orderNo), await balance(userId)]).toEqual([[], 'fulfilled', parseUsd('20')])
  })

  test('each payment of an order paid twice goes back by itself, then nothing is left', async () => {
    const { orderNo, userId, params } = await open()
    await pressCashier(params, 'twice')
    await app.check(orderNo)
    await expect(refund(orderNo, '20.01')).rejects.toThrow('ORDER_REFUND_TOO_LARGE')
    for (let n = 0; n < 2; n++) await refund(orderNo)
    await expect(refund(orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunded', 0n])
    const { theirs } = await app.books()
    const back = await db.query(`select minor from payments_refunds where order_id = $1 group by minor, receipt_id`, [await app.idOf(orderNo)])
    expect([back, theirs.filter((each) => each['back'] === 14_246n).length >= 2]).toEqual([[{ minor: 14_246n }, { minor: 14_246n }], true])
  })

  test('a year after its payment the channel takes nothing back, a minute before it does', async () => {
    const late = await paid()
    const inTime = await paid()
    await db.owner.query('alter table payments_receipts disable trigger all')
    for (const [{ orderNo }, minutes] of [
      [late, 0],
      [inTime, 1],
    ] as const) {
      await db.owner.query(`update payments_receipts set paid_at = now() - interval '365 days' + make_interval(mins => $2) where order_id = $1`, [
        await app.idOf(orderNo),
        minutes,
      ])
    }
    await db.owner.query('alter table payments_receipts enable trigger all')
    await expect(refund(late.orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
    expect([(await refund(inTime.orderNo)).amount, await balance(late.userId)]).toEqual([parseUsd('20'), parseUsd('20')])
  })
})

test('afterwards the payments are the same in both books, and the ledger adds up', async () => {
  await work()
  const { theirs, ours } = await app.books()
  const paymentsOf = (book: typeof ours) => book.map(({ txn, minor }) => [txn, minor])
  expect(paymentsOf(ours)).toEqual(paymentsOf(theirs))
  expect((await verifyLedger(db)).problems).toEqual([])
})
