import { describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { selectOrderByNo } from '../data.ts'
import { lateMoney } from '../settings.ts'
import { samplePermutations } from '../testing/counts.ts'
import { createPayingApp } from '../testing/paying.ts'
import type { ChannelPayment } from '../vendors/port.ts'
import { applyAnswers, readMoneyRules } from './check-order.ts'
import { selectTrades } from '../trades/data-attempts.ts'

// Effects of a channel's answer, payment by payment, exact to the fen and the millisecond.
const app = await createPayingApp()
const { db, deps, open, stateOf, balance, news } = app
const opened = async () => {
  const { orderNo, userId } = await open()
  const { id, expiresAt: ends } = (await selectOrderByNo(db, orderNo))!
  const [trade] = await selectTrades(db, id)
  let count = 0
  return {
    ...{ orderNo, userId, id, ends },
    paid: (over: Partial<ChannelPayment> = {}): ChannelPayment => ({
      ...{ channelTxn: `${orderNo}-${++count}`, minor: 14_745n, currency: 'CNY', paidAt: new Date(ends.getTime() - 60_000) },
      ...over,
    }),
    answer: async (...payments: ChannelPayment[]) => {
      const rules = await readMoneyRules(deps)
      await transact(db, SYSTEM, (tx) => applyAnswers(tx, id, { answers: [{ trade: trade!, fact: { status: 'paid', scanned: true, payments } }], rules }))
    },
  }
}
const receipts = (id: bigint) =>
  db.query<{ outcome: string; minor: bigint; currency: string }>(
    'select outcome, paid_minor as minor, currency from payments_receipts where order_id = $1 order by outcome, id',
    [id],
  )
const suspense = async (currency = 'CNY') =>
  (await db.query<{ posted: bigint }>(`select posted from wallet_accounts where kind = 'suspense' and owner = 'system' and currency = $1`, [currency]))[0]
    ?.posted ?? 0n

describe('in time', () => {
  test('paid at the end of the order is in time, a millisecond later is late; both are credited once', async () => {
    for (const [millis, state, event] of [
      [0, 'fulfilled', 'order.paid'],
      [1, 'paid_late', 'order.paid_late'],
    ] as const) {
      const { answer, paid, ends, orderNo, userId } = await opened()
      const payment = paid({ paidAt: new Date(ends.getTime() + millis) })
      for (let n = 0; n < 3; n++) await answer(payment)
      expect([await stateOf(orderNo), await balance(userId), await news(orderNo)]).toEqual([state, parseUsd('20'), [event]])
    }
  })

  test('late money that goes back is decided by the same millisecond: all of it goes, fee too, and nothing is credited', async () => {
    await app.set(lateMoney, 'refund')
    const inTime = await opened()
    await inTime.answer(inTime.paid({ paidAt: inTime.ends }))
    const late = await opened()
    await late.answer(late.paid({ paidAt: new Date(late.ends.getTime() + 1) }))
    await app.set(lateMoney, 'credit')
    expect([await stateOf(inTime.orderNo), await balance(inTime.userId)]).toEqual(['fulfilled', parseUsd('20')])
    expect([await stateOf(late.orderNo), await balance(late.userId), await receipts(late.id)]).toEqual([
      'refunding',
      0n,
      [{ outcome: 'returning', minor: 14_745n, currency: 'CNY' }],
    ])
    expect(await db.query('select minor, source, state from payments_refunds where order_id = $1', [late.id])).toEqual([
      { minor: 14_745n, source: 'suspense', state: 'approved' },
    ])
  })
})

describe('payments of right and wrong amounts', () => {
  test('of two right payments and one a fen short, in any order or in one answer, two are credited and one waits', async () => {
    const before = await suspense()
    let orders = 0
    for (const sequence of samplePermutations(['right', 'again', 'short'] as const, 6)) {
      for (const together of [true, false]) {
        const { answer, paid, id, userId } = await opened()
        const payments = sequence.map((name) => paid(name === 'short' ? { minor: 14_744n } : {}))
        if (together) await answer(...payments)
        else for (let n = 1; n <= payments.length; n++) await answer(...payments.slice(0, n))
        orders++
        const amounts = (await receipts(id)).map(({ outcome, minor }) => `${outcome} ${minor}`)
        expect(amounts.filter((each) => each === 'suspense 14744')).toHaveLength(1)
        expect([amounts.length, amounts.filter((each) => each === 'again 14745').length, await balance(userId)]).toEqual([3, 1, parseUsd('40')])
      }
    }
    expect((await suspense()) - before).toBe(parseUsd('147.44') * BigInt(orders))
  })

  test('another amount after the right one leaves the order as it is, and is reported', async () => {
    const { answer, paid, orderNo, userId } = await opened()
    await answer(paid())
    await answer(paid({ minor: 14_746n }))
    expect([await stateOf(orderNo), await balance(userId), await news(orderNo)]).toEqual(['fulfilled', parseUsd('20'), ['order.paid', 'order.mismatch']])
  })

  test('a transaction counts once, whatever the channel says of it later', async () => {
    const { answer, paid, id, orderNo, userId } = await opened()
    const payment = paid()
    await answer(payment)
    for (const later of [{ minor: 1n }, { currency: 'USD' }, { paidAt: new Date(0) }]) await answer({ ...payment, ...later })
    expect([await stateOf(orderNo), await balance(userId), (await receipts(id)).length]).toEqual(['fulfilled', parseUsd('20'), 1])
  })

  test('I6: a transaction that paid one order pays no other, one after the other and at once', async () => {
    const [one, two, three] = [await opened(), await opened(), await opened()]
    const payment = one.paid()
    await one.answer(payment)
    await expect(two.answer(payment)).rejects.toThrow()
    expect([await stateOf(two.orderNo), await balance(two.userId), await receipts(two.id)]).toEqual(['paying', 0n, []])
    const raced = two.paid()
    const both = await Promise.allSettled([two.answer(raced), three.answer(raced)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await balance(two.userId)) + (await balance(three.userId))).toBe(parseUsd('20'))
  })
})

test('afterwards the ledger adds up', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
