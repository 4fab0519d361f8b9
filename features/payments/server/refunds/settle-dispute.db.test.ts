import { describe, expect, test } from 'vitest'
import { rounds } from '#platform/testing/rounds.ts'
import { transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { balanceOf, credit, postedOn, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { registerOrderKind } from '../kinds/index.ts'
import { disputeFee } from '../settings.ts'
import { centsOf, refundingApp } from '../testing/refunding.ts'

const app = await refundingApp()
const { db, call, paid, deliver, hurry, stateOf, balance, news, operator, work, spend, refund, dispute, refunds } = app

/** A service at a price that each test names. */
let price = ''
registerOrderKind({ orderType: 7, earns: 'service', amounts: 'own', price: async () => price, fulfil: async () => 'done', undo: async () => {} })

describe('a dispute', () => {
  const disputed = (ruling: string) => paid({ amount: `20.${centsOf(`dispute-${ruling}`)}` })
  const owes = async (userId: string) => (await balanceOf(db, userId)).receivable

  test('R5: opened before, after and amid spending: the balance goes, the rest is owed and blocks; won, all of it is back', async () => {
    for (const spent of Array.from({ length: rounds(1, 100) }, () => ['0', '12', '20.32']).flat()) {
      const { orderNo, userId } = await disputed('won')
      if (spent !== '0') await spend(userId, spent)
      await db.query(`update payments_sandbox_disputes set turns_at = now() + interval '1 hour' where turns_at is not null`)
      await db.query(`update payments_sandbox_disputes set created_at = now() where created_at > now()`)
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, -parseUsd(spent)])
      await expect(spend(userId, '0.01')).rejects.toThrow('INSUFFICIENT_FUNDS')
      await expect(refund(orderNo, '1')).rejects.toThrow('ORDER_NOT_REFUNDABLE')
      await hurry()
      await deliver()
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['fulfilled', parseUsd('20.32') - parseUsd(spent), 0n])
      expect(await news(orderNo)).toEqual(['order.paid', 'order.disputed', 'order.dispute_closed'])
    }
  })

  test('R5: lost: the money is gone once, and nothing can be asked back', async () => {
    const { orderNo, userId } = await disputed('lost')
    await spend(userId, '5')
    await hurry()
    await app.check(orderNo)
    await hurry()
    await deliver()
    await app.check(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['refunded', 0n, -parseUsd('20')])
    await expect(refund(orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
  })

  test('lost, it costs its fee once beside the amount, from the balance before anything is owed; won after all, nothing', async () => {
    const rule = async (orderNo: string, state: 'won' | 'lost') => {
      await db.query(
        `update payments_sandbox_disputes set state = $2, turns_at = null where token in (select token from payments_sandbox_trades where trade_no like $1)`,
        [`${orderNo}%`, state],
      )
      await app.check(orderNo)
      await app.check(orderNo)
    }
    for (const [gift, left, owed] of [
      ['40', '25', '0'],
      ['6', '0', '9'],
    ] as const) {
      const { orderNo, userId } = await disputed('open')
      await transact(db, operator, (tx) => credit(tx, { userId, amount: parseUsd(gift), from: 'grants', ref: `gift ${orderNo}` }))
      await hurry()
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['disputed', parseUsd(gift)])
      await rule(orderNo, 'lost')
      expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(left), -parseUsd(owed)])
      const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo }, { token: userId })
      expect([data.disputes[0].state, data.disputes[0].fee, data.timeline.at(-1).facts.disputeFee]).toEqual(['lost', '15', '15'])
      await rule(orderNo, 'won')
      expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(gift) + parseUsd('20.31'), 0n])
      // A gift that paid the fee is a gift again.
      expect((await balanceOf(db, userId)).grantedUnspent).toBe(parseUsd(gift))
    }
    await app.set(disputeFee, '0')
    const { orderNo, userId } = await disputed('open')
    await hurry()
    await rule(orderNo, 'lost')
    expect([await balance(userId), await owes(userId)]).toEqual([0n, 0n])
    await app.set(disputeFee, '15.00')
    expect((await verifyLedger(db)).problems).toEqual([])
  })

  test.each([
    ['lost', '0', '30'],
    ['won', '5', '0'],
  ] as const)('R5: of a service the payer owes the amount too, which was had; %s', async (ruling, left, owed) => {
    price = `20.${centsOf(`dispute-${ruling}`)}`
    const { orderNo, userId } = await paid({ orderType: 7 })
    const revenue = await postedOn(db, systemAccount('revenue'))
    await transact(db, operator, (tx) => credit(tx, { userId, amount: parseUsd('5'), ref: `more ${orderNo}`, from: 'wash' }))
    await db.query(`update payments_sandbox_disputes set turns_at = now() + interval '1 hour' where turns_at is not null`)
    await db.query(`update payments_sandbox_disputes set created_at = now() where created_at > now()`)
    await app.check(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, parseUsd('5') - parseUsd(price)])
    await hurry()
    await deliver()
    await app.check(orderNo)
    const cents = ruling === 'lost' ? parseUsd(price) - parseUsd('20') : 0n
    expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(left), -parseUsd(owed) - cents])
    expect(await postedOn(db, systemAccount('revenue'))).toBe(revenue)
  })

  test('R5, R7: after a partial refund only the rest is taken; a refund that fails later is taken as well', async () => {
    const { orderNo, userId } = await disputed('open')
    await refund(orderNo, '8')
    await work()
    await dispute(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
    await db.query(`update payments_sandbox_refunds set state = 'failed' where token in (select token from payments_sandbox_trades where trade_no like $1)`, [
      `${orderNo}%`,
    ])
    await work()
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
    const held = await db.query<{ clawed_nano: bigint }>(
      'select clawed_nano from payments_disputes d join payments_orders o on o.id = d.order_id where order_no = $1',
      [orderNo],
    )
    expect(held).toEqual([{ clawed_nano: parseUsd('20.31') }])
  })

  test('R7: a refund and a dispute at once never both pay out', async () => {
    for (let round = 0; round < rounds(8, 100); round++) {
      const { orderNo, userId } = await disputed('open')
      await hurry()
      await Promise.allSettled([refund(orderNo), app.check(orderNo), app.check(orderNo)])
      await work()
      await work()
      const back = (await refunds(orderNo)).filter(({ state }) => state === 'succeeded')
      expect(back).toEqual([])
      expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
    }
  })
})

test('afterwards the ledger adds up', async () => {
  await work()
  expect((await verifyLedger(db)).problems).toEqual([])
})
