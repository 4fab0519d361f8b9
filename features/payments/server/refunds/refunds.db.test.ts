import { describe, expect, test } from 'vitest'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aUser, freezeAccount, thawAccount } from '#features/account/server/builders.ts'
import { creditUser, verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { lateMoney, userRefunds, withdrawKeep } from '../settings.ts'
import { findMagicCents, readErrorName, createRefundingApp } from '../testing/refunding.ts'
import { approveOrder, queryOrderTrades, refundOrder, rejectRefunds, repairOrder } from '../orders/repair-order.ts'

const app = await createRefundingApp()
const { db, deps, call, paid, open, deliver, hurry, stateOf, balance, news, operator, work, spend, refund, ask, refunds } = app

describe('a refund', () => {
  test('in parts, then of the rest, pays back what was paid for them; the state and the timeline follow', async () => {
    const { orderNo, userId } = await paid()
    await refund(orderNo, '5')
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunding', parseUsd('15')])
    await work()
    expect(await stateOf(orderNo)).toBe('partially_refunded')
    await refund(orderNo)
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunded', 0n])
    const rows = await refunds(orderNo)
    expect(rows.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    // 147.45 x 20 / 20.70: the fee is not refunded.
    expect(rows.reduce((all, { minor }) => all + minor, 0n)).toBe(14246n)
    expect(await news(orderNo)).toEqual(['order.paid', 'order.refunded', 'order.refunded'])
    const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo }, { token: userId })
    expect(data.timeline.map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'opened',
      'paid',
      'fulfilled',
      'refund_requested',
      'refund_sent',
      'refunded',
      'refund_requested',
      'refund_sent',
      'refunded',
    ])
    expect(data).toMatchObject({
      order: { refunded: '20', payStatus: 1 },
      refunds: [{ amount: '5', state: 'succeeded' }, { amount: '15' }],
      can: { refund: null, pay: false },
    })
  })

  test('includes its fee when the fault is ours', async () => {
    const { orderNo } = await paid()
    await refundOrder(deps, operator, { orderNo, withFee: true, reason: 'our fault' })
    await work()
    expect((await refunds(orderNo))[0]).toMatchObject({ minor: 14745n, state: 'succeeded' })
    const fees = await db.query(
      `select t.debit_kind, t.credit_kind, t.amount from wallet_transfers t join wallet_transactions w on w.id = t.transaction_id where w.kind = 'refund.done' and w.ref like 'R%' order by t.id desc limit 1`,
    )
    expect(fees).toEqual([{ debitKind: 'fees', creditKind: 'wash', amount: parseUsd('0.7') }])
  })

  test('R1: 2 to 20 at once never give back more than was paid', async () => {
    for (let round = 0; round < chooseRounds(10, 1000); round++) {
      const { orderNo, userId } = await paid()
      const racers = 2 + ((round * 2) % 19)
      const answers = await Promise.allSettled(Array.from({ length: racers }, () => refund(orderNo, '7')))
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(Math.min(2, racers))
      for (const answer of answers)
        if (answer.status === 'rejected') expect(['ORDER_REFUND_TOO_LARGE', 'ORDER_NOT_REFUNDABLE']).toContain(readErrorName(answer.reason))
      expect(await balance(userId)).toBe(parseUsd('6'))
      await work()
      await work()
      await work()
      expect(await stateOf(orderNo)).toBe('partially_refunded')
    }
  })

  test('R1: the database refuses to give back more than was paid', async () => {
    const { orderNo } = await paid()
    const insert = (minor: bigint) =>
      db.query(
        `insert into payments_refunds (refund_no, order_id, receipt_id, source, goes_to, amount_nano, minor, currency, state, reason, asked_by, next_check_at)
        select 'R20260101-' || upper(substr(md5(random()::text), 1, 12)), o.id, r.id, 'balance', 'channel', 1, $2, 'CNY', 'requested', 'x', 'x', now()
        from payments_orders o join payments_receipts r on r.order_id = o.id where order_no = $1`,
        [orderNo, minor],
      )
    await expect(insert(14746n)).rejects.toThrow('more than what is left')
    const raced = await Promise.allSettled(Array.from({ length: 10 }, () => insert(5000n)))
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await db.owner.query(`delete from payments_refunds where reason = 'x'`)
  })

  test('R2: a refund too large, negative, unpaid, made already or by a stranger is refused, and no channel is called', async () => {
    const { orderNo, userId } = await paid()
    const before = (await db.query('select count(*)::int as n from payments_sandbox_refunds'))[0]
    expect((await ask(orderNo, userId, { amount: '20.01' })).code).toBe(3115)
    for (const amount of ['-1', '0', 'NaN', '1e2', '１']) expect((await ask(orderNo, userId, { amount })).status).toBe(400)
    expect((await ask(orderNo, 'somebody else')).code).toBe(3101)
    const unpaid = await open()
    expect((await ask(unpaid.orderNo, unpaid.userId)).code).toBe(3117)
    await spend(userId, '20')
    expect((await ask(orderNo, userId)).code).toBe(3117)
    await app.set(userRefunds, 'off')
    expect((await ask(orderNo, userId)).code).toBe(3116)
    await app.set(userRefunds, 'ask')
    await work()
    expect((await db.query('select count(*)::int as n from payments_sandbox_refunds'))[0]).toEqual(before)
  })

  test('asked for by the user waits for another person; refused, the money is there again', async () => {
    const { orderNo, userId } = await paid()
    expect((await ask(orderNo, userId, { amount: '8' })).data).toMatchObject({ state: 'requested', orderState: 'refunding', payStatus: 1, amount: '8' })
    await work()
    expect((await refunds(orderNo))[0]!.state).toBe('requested')
    await rejectRefunds(deps, operator, { orderNo, reason: 'no' })
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
    expect((await ask(orderNo, userId, { amount: '8' })).code).toBe(200)
    await expect(approveOrder(deps, { kind: 'user', id: userId }, { orderNo, reason: 'mine' })).rejects.toThrow('FORBIDDEN')
    await approveOrder(deps, operator, { orderNo, reason: 'yes' })
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['partially_refunded', parseUsd('12')])
  })

  test('asked for by the user is refused or waits while payouts are frozen; one by an operator goes', async () => {
    const user = await aUser(deps)
    const [one, two] = [await paid({ userId: user.userId }), await paid({ userId: user.userId })]
    await app.set(userRefunds, 'auto')
    expect((await ask(one.orderNo, user.userId, { amount: '8' })).data).toMatchObject({ state: 'approved' })
    await app.set(userRefunds, 'ask')
    expect((await ask(two.orderNo, user.userId, { amount: '8' })).data).toMatchObject({ state: 'requested' })
    await freezeAccount(deps, operator, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
    await work()
    expect([(await refunds(one.orderNo))[0]!.state, (await ask(one.orderNo, user.userId, { amount: '1' })).code]).toEqual(['approved', 1038])
    await expect(approveOrder(deps, operator, { orderNo: two.orderNo, reason: 'yes' })).rejects.toThrow('MONEY_OUT_FROZEN')
    await refund(two.orderNo, '2')
    await work()
    expect((await refunds(two.orderNo)).map(({ state }) => state)).toEqual(['requested', 'succeeded'])
    await thawAccount(deps, operator, { userId: user.userId, reason: 'test' })
    await work()
    expect((await refunds(one.orderNo))[0]!.state).toBe('succeeded')
  })

  test('asked for by the user leaves a dollar in the balance; an operator may give everything back', async () => {
    const { orderNo, userId } = await paid()
    const { data } = await call('GET', '/v1/pay/orderDetail', { orderNo }, { token: userId })
    expect(data.can).toMatchObject({ refund: '19', keep: '1' })
    const refused = await ask(orderNo, userId, { amount: '19.01' })
    expect([refused.code, refused.msg]).toEqual([3119, expect.stringContaining('$19')])
    expect(await balance(userId)).toBe(parseUsd('20'))
    expect((await ask(orderNo, userId)).data).toMatchObject({ amount: '19', state: 'requested' })
    expect(await balance(userId)).toBe(parseUsd('1'))
    expect((await ask(orderNo, userId)).code).toBe(3119)
    await refund(orderNo)
    expect(await balance(userId)).toBe(0n)

    const more = await paid()
    await app.set(withdrawKeep, '3')
    await transact(db, operator, (tx) => creditUser(tx, { userId: more.userId, amount: parseUsd('2.5'), from: 'grants', ref: `gift ${more.orderNo}` }))
    expect((await ask(more.orderNo, more.userId)).data).toMatchObject({ amount: '19.5' })
    await app.set(withdrawKeep, '1')
  })

  test('of several orders of one user at once leaves the dollar too', async () => {
    for (let round = 0; round < chooseRounds(3, 100); round++) {
      const first = await paid()
      const orders = [first, await paid({ userId: first.userId }), await paid({ userId: first.userId })]
      const answers = await Promise.all(orders.map(({ orderNo }) => ask(orderNo, first.userId, { amount: '20' })))
      expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 200, 3119])
      expect(await balance(first.userId)).toBe(parseUsd('20'))
    }
  })

  test('R3: a refund whose answer is lost is sent again under the same number and made once at the channel', async () => {
    for (let round = 0; round < chooseRounds(5, 200); round++) {
      const { orderNo } = await paid({ amount: `20.${findMagicCents('refund-500')}` })
      await refund(orderNo)
      await work()
      expect((await refunds(orderNo))[0]!.state).toBe('unknown')
      await work()
      expect([await stateOf(orderNo), (await refunds(orderNo))[0]!.state]).toEqual(['refunded', 'succeeded'])
      const there = await db.query('select 1 from payments_sandbox_refunds r join payments_sandbox_trades t on t.token = r.token where t.trade_no like $1', [
        `${orderNo}%`,
      ])
      expect(there).toHaveLength(1)
    }
  })

  test('refused by the channel moves nothing, and the money is there again', async () => {
    const { orderNo, userId } = await paid({ amount: `20.${findMagicCents('refund-refused')}` })
    await refund(orderNo)
    await work()
    expect([await stateOf(orderNo), await balance(userId), (await refunds(orderNo))[0]!.state]).toEqual(['fulfilled', parseUsd('20.21'), 'failed'])
    expect(await news(orderNo)).toContain('order.refund_failed')
  })

  test('that is slow or stuck stays on its way until the channel answers', async () => {
    const slow = await paid({ amount: `20.${findMagicCents('refund-slow')}` })
    const stuck = await paid({ amount: `20.${findMagicCents('refund-stuck')}` })
    for (const { orderNo } of [slow, stuck]) await refund(orderNo)
    await work()
    expect([await stateOf(slow.orderNo), await stateOf(stuck.orderNo)]).toEqual(['refunding', 'refunding'])
    await hurry()
    await deliver()
    await deliver()
    expect([await stateOf(slow.orderNo), await stateOf(stuck.orderNo)]).toEqual(['refunded', 'refunding'])
    await db.query(`update payments_sandbox_refunds set state = 'succeeded' where state = 'stuck'`)
    await work()
    expect(await stateOf(stuck.orderNo)).toBe('refunded')
  })

  test('R4: a refund that succeeds and then comes back gives the user the money again, once', async () => {
    for (let round = 0; round < chooseRounds(5, 100); round++) {
      const { orderNo, userId } = await paid({ amount: `20.${findMagicCents('refund-reversed')}` })
      await refund(orderNo)
      await work()
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunded', 0n])
      await hurry()
      await deliver()
      await deliver()
      await Promise.all([work(), deliver()])
      expect([await stateOf(orderNo), await balance(userId), (await refunds(orderNo))[0]!.state]).toEqual(['fulfilled', parseUsd('20.24'), 'reversed'])
    }
  })

  test('R6: a refund takes only unspent purchased credit of the order, and the bonus goes with it', async () => {
    const { orderNo, userId } = await paid()
    await transact(db, operator, (tx) => creditUser(tx, { userId, amount: parseUsd('3'), from: 'grants', ref: `bonus ${orderNo}`, orderRef: orderNo }))
    await spend(userId, '5')
    // 3 of granted credit was spent first, then 2 of the top-up.
    await expect(refund(orderNo, '18.01')).rejects.toThrow('ORDER_REFUND_TOO_LARGE')
    await refund(orderNo)
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['partially_refunded', 0n])
    const other = await paid()
    await transact(db, operator, (tx) =>
      creditUser(tx, { userId: other.userId, amount: parseUsd('3'), from: 'grants', ref: `bonus ${other.orderNo}`, orderRef: other.orderNo }),
    )
    await refund(other.orderNo)
    await work()
    expect([await stateOf(other.orderNo), await balance(other.userId)]).toEqual(['refunded', 0n])
  })
})

describe('late and double payments that are sent back (setting)', () => {
  test('a late payment is never credited and is refunded by itself; a refund that cannot be delivered becomes balance', async () => {
    await app.set(lateMoney, 'refund')
    for (const [cents, end, credited] of [
      ['00', 'refunded', '0'],
      [findMagicCents('refund-refused'), 'paid_late', `20.${findMagicCents('refund-refused')}`],
    ] as const) {
      const { orderNo, userId, params } = await open({ amount: `20.${cents}` })
      await call('POST', '/v1/pay/cancel', { orderNo }, { token: userId })
      await pressCashier(params, 'silent')
      await app.check(orderNo)
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunding', 0n])
      await work()
      expect([await stateOf(orderNo), await balance(userId)]).toEqual([end, parseUsd(credited)])
    }
    await app.set(lateMoney, 'credit')
  })
  test('a second payment goes back, and the order stands', async () => {
    await app.set(lateMoney, 'refund')
    const { orderNo, userId, params } = await open()
    await pressCashier(params, 'twice')
    await app.check(orderNo)
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['fulfilled', parseUsd('20')])
    expect((await refunds(orderNo)).map(({ state, minor }) => [state, minor])).toEqual([['succeeded', 14745n]])
    await app.set(lateMoney, 'credit')
  })
})

describe('money in suspense', () => {
  test('an operator credits it at the order rate, or sends it back', async () => {
    const credited = await open()
    const back = await open()
    for (const { params, orderNo } of [credited, back]) {
      await pressCashier(params, 'less')
      await app.check(orderNo)
      expect(await stateOf(orderNo)).toBe('integrity_failure')
    }
    expect((await approveOrder(deps, operator, { orderNo: credited.orderNo, reason: 'the user agrees' })).length).toBe(1)
    expect(await balance(credited.userId)).toBe(1356427n)
    await expect(approveOrder(deps, operator, { orderNo: credited.orderNo, reason: 'again' })).rejects.toThrow('ORDER_NOT_REFUNDABLE')
    await refund(back.orderNo)
    await work()
    expect([await stateOf(back.orderNo), await balance(back.userId)]).toEqual(['refunded', 0n])
    expect((await refunds(back.orderNo))[0]).toMatchObject({ minor: 1n, state: 'succeeded' })
  })
})

test('an operator repairs an order without a notice, and the reason is kept', async () => {
  const { orderNo, userId, params } = await open()
  await pressCashier(params, 'silent')
  expect((await repairOrder(deps, operator, { orderNo, reason: 'ticket 1', answers: await queryOrderTrades(deps, orderNo) })).state).toBe('fulfilled')
  expect(await balance(userId)).toBe(parseUsd('20'))
  const rows = await db.query(`select actor_kind, data->>'reason' as reason from audit_rows where action = 'order.repaired' and target = $1`, [
    `order:${orderNo}`,
  ])
  expect(rows).toEqual([{ actorKind: 'operator', reason: 'ticket 1' }])
})

test("afterwards the sandbox's own book equals ours, and the ledger adds up", async () => {
  await work()
  const { theirs, ours } = await app.books()
  expect(ours.length).toBeGreaterThan(30)
  expect(ours).toEqual(theirs)
  expect((await verifyLedger(db)).problems).toEqual([])
  expect(
    await db.query(
      `select 1 from wallet_accounts where kind in ('in_transit') and posted <> (select coalesce(sum(amount_nano), 0) from payments_refunds where source = 'balance' and state in ('requested','approved','dispatched','unknown'))`,
    ),
  ).toEqual([])
})
