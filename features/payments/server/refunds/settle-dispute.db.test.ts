import { describe, expect, test } from 'vitest'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import {
  readBalance,
  creditUser,
  postTransaction,
  readPostedBalance,
  systemAccount,
  readUnspentCredit,
  userAccount,
  verifyLedger,
} from '#features/wallet/server/door.ts'
import { aWithdrawal, pressCashier } from '../builders.ts'
import { registerOrderKind } from '../kinds/index.ts'
import { disputeFee } from '../settings.ts'
import { findMagicCents, createRefundingApp } from '../testing/refunding.ts'
import { decideRefund } from './decide-refund.ts'
import { selectRefundByNo } from '../states/data-refunds.ts'
import { selectWithdrawalByNo } from '../set-aside/data.ts'
import { withdrawChannelFirst } from '../withdrawals/settings.ts'
import { advanceWithdrawal } from '../withdrawals/verbs/advance-withdrawals.ts'

const app = await createRefundingApp()
const { db, deps, call, paid, deliver, hurry, stateOf, balance, news, operator, work, spend, refund, dispute, refunds } = app

/** A service whose price each test sets. */
let price = ''
registerOrderKind({ orderType: 7, earns: 'service', amounts: 'own', price: async () => price, fulfil: async () => 'done', undo: async () => {} })

const disputed = (ruling: string) => paid({ amount: `20.${findMagicCents(`dispute-${ruling}`)}` })
const owes = async (userId: string) => (await readBalance(db, userId)).receivable

describe('a dispute', () => {
  test('R5: a dispute before, after or amid spending takes the balance, the rest is owed and blocks; won, all is back', async () => {
    for (const spent of Array.from({ length: chooseRounds(1, 100) }, () => ['0', '12', '20.32']).flat()) {
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

  test('R5: a lost dispute takes the money once, and nothing can be asked back', async () => {
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

  test('a dispute of a payment that fits no order takes no balance and refunds nothing twice; won, a person decides again', async () => {
    for (const [ruling, after] of [
      ['lost', 'refunded'],
      ['won', 'integrity_failure'],
    ] as const) {
      const { orderNo, userId, params } = await app.open({ amount: `20.${findMagicCents(`dispute-${ruling}`)}` })
      await pressCashier(params, 'less')
      await app.check(orderNo)
      await db.query(`update payments_sandbox_disputes set turns_at = now() + interval '1 hour' where turns_at is not null`)
      await db.query(`update payments_sandbox_disputes set created_at = now() where created_at > now()`)
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
      await expect(refund(orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
      await hurry()
      await deliver()
      await app.check(orderNo)
      expect(await stateOf(orderNo)).toBe(after)
      if (ruling === 'won') expect(await refund(orderNo)).toBeDefined()
      else await expect(refund(orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
    }
  })

  test('a lost dispute costs its fee once beside the amount, from the balance before any debt; won after all, nothing', async () => {
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
      await transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd(gift), from: 'grants', ref: `gift ${orderNo}` }))
      await hurry()
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['disputed', parseUsd(gift)])
      await rule(orderNo, 'lost')
      expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(left), -parseUsd(owed)])
      const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo }, { token: userId })
      expect([data.disputes[0].state, data.disputes[0].fee, data.timeline.at(-1).facts.disputeFee]).toEqual(['lost', '15', '15'])
      await rule(orderNo, 'won')
      expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(gift) + parseUsd('20.31'), 0n])
      // A gift that paid the fee becomes a gift again.
      expect((await readBalance(db, userId)).grantedUnspent).toBe(parseUsd(gift))
    }
    // The gift of the top-up waits for the ruling, pays no fee, and is restored unchanged.
    const given = await disputed('open')
    const bonus = () => readUnspentCredit(db, given.userId, { orderRef: given.orderNo })
    await transact(db, operator, (tx) =>
      creditUser(tx, { userId: given.userId, amount: parseUsd('2'), from: 'grants', ref: `bonus ${given.orderNo}`, orderRef: given.orderNo }),
    )
    await hurry()
    await app.check(given.orderNo)
    expect([await balance(given.userId), (await bonus()).granted]).toEqual([0n, 0n])
    await rule(given.orderNo, 'lost')
    expect([await balance(given.userId), await owes(given.userId), (await bonus()).granted]).toEqual([0n, -parseUsd('15'), 0n])
    await rule(given.orderNo, 'won')
    expect([await owes(given.userId), (await bonus()).granted]).toEqual([0n, parseUsd('2')])
    expect((await readBalance(db, given.userId)).withdrawable).toBe(parseUsd('20.31'))
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
  ] as const)('R5: a dispute of a delivered service makes the payer owe its amount too; %s', async (ruling, left, owed) => {
    price = `20.${findMagicCents(`dispute-${ruling}`)}`
    const { orderNo, userId } = await paid({ orderType: 7 })
    const revenue = await readPostedBalance(db, systemAccount('revenue'))
    await transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd('5'), ref: `more ${orderNo}`, from: 'wash' }))
    await db.query(`update payments_sandbox_disputes set turns_at = now() + interval '1 hour' where turns_at is not null`)
    await db.query(`update payments_sandbox_disputes set created_at = now() where created_at > now()`)
    await app.check(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, parseUsd('5') - parseUsd(price)])
    await hurry()
    await deliver()
    await app.check(orderNo)
    const cents = ruling === 'lost' ? parseUsd(price) - parseUsd('20') : 0n
    expect([await balance(userId), await owes(userId)]).toEqual([parseUsd(left), -parseUsd(owed) - cents])
    expect(await readPostedBalance(db, systemAccount('revenue'))).toBe(revenue)
  })

  test('R5: a refunded payment that is charged back as well is owed, and a refund that comes back pays it', async () => {
    const { orderNo, userId } = await disputed('open')
    await refund(orderNo, '8')
    await work()
    await dispute(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, parseUsd('-8')])
    await db.query(`update payments_sandbox_refunds set state = 'failed' where token in (select token from payments_sandbox_trades where trade_no like $1)`, [
      `${orderNo}%`,
    ])
    await work()
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
    const held = await db.query<{ clawedNano: bigint }>(
      'select clawed_nano from payments_disputes d join payments_orders o on o.id = d.order_id where order_no = $1',
      [orderNo],
    )
    expect(held).toEqual([{ clawedNano: parseUsd('20.31') }])
  })

  test('R7: a refund and a dispute at once never both pay out', async () => {
    for (let round = 0; round < chooseRounds(8, 100); round++) {
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

describe('a dispute beside a withdrawal that waits', () => {
  const advance = (no: string) => advanceWithdrawal(deps, no)
  const row = async (no: string) => (await selectWithdrawalByNo(db, no))!
  const payout = async (no: string) => (await db.query<{ minor: bigint }>('select minor from payments_sandbox_payouts where payout_no = $1', [no]))[0]?.minor
  const give = (userId: string, amount: string) =>
    transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd(amount), from: 'grants', ref: crypto.randomUUID() }))
  const owe = (userId: string, amount: string) =>
    transact(db, operator, (tx) =>
      postTransaction(tx, {
        kind: 'test.owed',
        ref: crypto.randomUUID(),
        legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd(amount), owe: true }],
      }),
    )
  const seen = async (no: string, token: string) => (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no }, { token })).data

  test.each([true, false])('R5: a withdrawal’s money pays the chargeback, nothing is paid out; channel first: %s', async (isFirst) => {
    await app.set(withdrawChannelFirst, isFirst)
    const { orderNo, userId } = await disputed('open')
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await dispute(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', 0n, 0n])
    expect(await seen(no, userId)).toMatchObject({ state: 'requested', amount: '19', taken: '19', plan: { parts: [], transfer: null } })
    await advance(no)
    await advance(no)
    expect([await payout(no), await row(no)]).toMatchObject([undefined, { state: 'failed', reason: 'debt', sentTx: null, takenNano: parseUsd('19') }])
    expect((await readBalance(db, userId)).held).toBe(0n)
  })

  test.each([true, false])('R5: a gift pays no chargeback, no bought money leaves for it; channel first: %s', async (isFirst) => {
    await app.set(withdrawChannelFirst, isFirst)
    const { orderNo, userId } = await disputed('open')
    await give(userId, '2.00')
    const no = await aWithdrawal(deps, { userId, amount: '20.31' })
    await dispute(orderNo)
    expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual(['disputed', parseUsd('2'), 0n])
    await advance(no)
    await advance(no)
    expect([await payout(no), (await row(no)).state, (await readBalance(db, userId)).withdrawable]).toEqual([undefined, 'failed', 0n])
  })

  test.each([
    [true, undefined, '14'],
    [false, 9_972n, '0'],
  ])('a debt is paid first, the rest leaves and its owner reads so; channel first: %s', async (isFirst, minor, overChannels) => {
    await app.set(withdrawChannelFirst, isFirst)
    const { userId } = await paid()
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await owe(userId, '6')
    expect(await owes(userId)).toBe(parseUsd('-5'))
    const { plan, taken } = await seen(no, userId)
    expect([taken, [...plan.parts, ...(plan.transfer ? [plan.transfer] : [])]]).toMatchObject(['5', [{ amount: '14', payAmount: '99.72' }]])
    await advance(no)
    await work()
    await advance(no)
    expect([await payout(no), await owes(userId), await balance(userId)]).toEqual([minor, 0n, 0n])
    expect(await row(no)).toMatchObject({ state: 'paid', channelNano: parseUsd(overChannels), takenNano: parseUsd('5') })
    expect((await seen(no, userId)).taken).toBe('5')
  })

  test('ten calls at once with the dispute pay all of the withdrawal or none of it', async () => {
    await app.set(withdrawChannelFirst, false)
    for (let round = 0; round < chooseRounds(4, 100); round++) {
      const { orderNo, userId } = await disputed('open')
      await give(userId, '2.00')
      const no = await aWithdrawal(deps, { userId, amount: '20.31' })
      await hurry()
      await Promise.all([...Array.from({ length: 5 }, () => app.check(orderNo)), ...Array.from({ length: 5 }, () => advance(no))])
      await advance(no)
      const isPaid = (await row(no)).state === 'paid'
      // If the withdrawal left first, the gift pays as much as it can and the rest is owed.
      expect([await stateOf(orderNo), await balance(userId), await owes(userId)]).toEqual([
        'disputed',
        isPaid ? 0n : parseUsd('2'),
        isPaid ? -parseUsd('18.31') : 0n,
      ])
      expect(await payout(no)).toBe(isPaid ? 14_466n : undefined)
    }
    await app.set(withdrawChannelFirst, true)
  })

  test('a cancelled withdrawal returns to the balance only what the debt leaves', async () => {
    const { userId } = await paid()
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await owe(userId, '6')
    await call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: no }, { token: userId })
    expect([await owes(userId), await balance(userId), await row(no)]).toMatchObject([0n, parseUsd('14'), { state: 'cancelled', takenNano: parseUsd('5') }])
  })

  test('a refund on its way to the card is not sent where a debt would take all of it', async () => {
    const good = await paid()
    const { userId } = good
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await advance(no)
    await owe(userId, '31')
    expect(await owes(userId)).toBe(parseUsd('-30'))
    await work()
    await advance(no)
    expect([await refunds(good.orderNo), await owes(userId)]).toMatchObject([[{ state: 'failed' }], parseUsd('-11')])
    expect([await payout(no), await row(no)]).toMatchObject([undefined, { state: 'failed', reason: 'debt', takenNano: parseUsd('19') }])
  })

  test('a refund that its payer asked for is not sent while a debt is open, which takes its share of it', async () => {
    const { userId, orderNo } = await paid()
    const { data } = await app.ask(orderNo, userId, { amount: '15' })
    await owe(userId, '8')
    await transact(db, operator, async (tx) => decideRefund(tx, (await selectRefundByNo(tx, data.refundNo))!.id, { verdict: 'approve', reason: 'yes' }))
    await work()
    expect([await refunds(orderNo), await balance(userId), await owes(userId)]).toMatchObject([[{ state: 'failed' }], parseUsd('12'), 0n])
  })
})

test('afterwards the ledger adds up', async () => {
  await work()
  expect((await verifyLedger(db)).problems).toEqual([])
})
