import { describe, expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { readBalance, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { selectOpenDiscrepancies } from '../statements/data.ts'
import { aWithdrawal } from '../builders.ts'
import { createRealChannels } from '../testing/real-channels.ts'
import type { RealChannel } from '../testing/real-channels.ts'
import { createChannelTools, findChannelById } from '../vendors/index.ts'
import { advanceWithdrawal } from '../withdrawals/verbs/advance-withdrawals.ts'
import { compareStatementDay } from '../statements/compare-statements.ts'
import { queryDiscrepancyOrder, decideDiscrepancy } from '../statements/commands.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { refundOrder } from '../orders/repair-order.ts'

// Refunds over each real channel, verified against the book of its fake.
const { db, deps, clock, fakes, stripe, firsts, open, stateOf, balance, dueNow } = await createRealChannels()
const operator = { kind: 'operator', id: 'test' } as const
const begun = toShanghaiDay(clock.now())

const paid = async (road: RealChannel) => {
  const opened = await open(road)
  await road.fake.pay(opened.tradeNo)
  await road.fake.deliver()
  return opened
}
const refund = (orderNo: string, amount?: string) =>
  refundOrder(deps, operator, { orderNo, reason: 'test', ...(amount === undefined ? {} : { amount: parseUsd(amount) }) })
const work = async () => {
  await makeRowsDue(db.owner, 'payments_refunds', { column: 'next_check_at' })
  await workRefunds(deps)
}
const refunds = (orderNo: string) =>
  db.query<{ refundNo: string; state: string; minor: bigint; waits: boolean }>(
    `select refund_no, f.state, f.minor, coalesce(f.next_check_at < now() + interval '20 hours', false) as waits
    from payments_refunds f join payments_orders o on o.id = f.order_id where order_no = $1 order by f.id`,
    [orderNo],
  )
const listChannelRefunds = async ({ fake }: RealChannel, orderNo: string) => {
  const ours = new Set((await refunds(orderNo)).map(({ refundNo }) => refundNo))
  return (await fake.refunds()).filter(({ refundNo }) => ours.has(refundNo)).map(({ minor, state }) => [minor, state])
}

describe.each(firsts)('%s', (name, road) => {
  test('R1: partial refunds go one by one where the company counts no numbers, and each is found again later', async () => {
    const { orderNo, userId } = await paid(road)
    await refund(orderNo, '5')
    road.fake.http.misbehave('error-before', 9, /refund|gateway/)
    await work()
    road.fake.http.behave()
    expect((await refunds(orderNo))[0]!.state).toBe('unknown')
    // The first refund's outcome is unknown: the second is sent only if a number distinguishes them.
    await refund(orderNo, '6')
    await db.owner.query(`update payments_refunds set next_check_at = now() + interval '1 hour' where state = 'unknown'`)
    await workRefunds(deps)
    expect([(await refunds(orderNo))[1]!.state === 'approved', (await listChannelRefunds(road, orderNo)).length]).toEqual(
      name === 'nihaopay' ? [true, 0] : [false, 1],
    )
    await refund(orderNo, '4')
    for (let n = 0; n < 3; n++) await work()
    await refund(orderNo)
    // A pending refund is queried again.
    await work()
    await work()
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunded', 0n])
    expect(await listChannelRefunds(road, orderNo)).toHaveLength(4)
    // The fee is not refunded: the parts add up to 20 of the payment.
    expect((await refunds(orderNo)).reduce((sum, { minor }) => sum + minor, 0n)).toBe(road.currency === 'USD' ? 2000n : 14_246n)
    await work()
    expect((await refunds(orderNo)).map(({ state, waits }) => [state, waits])).toEqual(Array.from({ length: 4 }, () => ['succeeded', false]))
  })

  test('R3: a refund whose answer is lost is queried, sent again under its number if missing, and made once at the company', async () => {
    for (const fault of ['error-after', 'error-before', 'html', 'bad-signature'] as const) {
      const { orderNo, userId } = await paid(road)
      await refund(orderNo, '7')
      road.fake.http.misbehave(fault, 3, /refund|gateway/)
      await work()
      road.fake.http.behave()
      expect(['approved', 'dispatched', 'unknown', 'succeeded']).toContain((await refunds(orderNo))[0]!.state)
      await work()
      await work()
      expect([await stateOf(orderNo), await balance(userId)]).toEqual(['partially_refunded', parseUsd('13')])
      expect(await listChannelRefunds(road, orderNo)).toHaveLength(1)
    }
  })

  test('a withdrawal goes back over it', async () => {
    const { orderNo, userId } = await paid(road)
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await advanceWithdrawal(deps, no)
    await work()
    await work()
    await advanceWithdrawal(deps, no)
    expect(await db.query('select state, sent_nano from payments_withdrawals where withdrawal_no = $1', [no])).toEqual([{ state: 'paid', sentNano: null }])
    expect([await balance(userId), (await listChannelRefunds(road, orderNo)).length]).toEqual([parseUsd('1'), 1])
  })
})

describe.each(firsts.filter(([name]) => name === 'stripe' || name === 'wechat-pay'))('%s', (_, road) => {
  test('R4: a refund under way, done, then given back returns the money to the user once', async () => {
    const { orderNo, userId } = await paid(road)
    road.fake.slowRefunds(true)
    await refund(orderNo)
    await work()
    road.fake.slowRefunds(false)
    expect([await stateOf(orderNo), await balance(userId)]).toEqual(['refunding', 0n])
    const [{ refundNo } = { refundNo: '' }] = await refunds(orderNo)
    await road.fake.turnRefund(refundNo, 'succeeded')
    await road.fake.deliver()
    expect(await stateOf(orderNo)).toBe('refunded')
    await road.fake.turnRefund(refundNo, 'failed')
    await road.fake.deliver()
    await work()
    expect([await stateOf(orderNo), await balance(userId), (await refunds(orderNo))[0]!.state]).toEqual(['fulfilled', parseUsd('20'), 'reversed'])
  })
})

test('R5: a won dispute over half-spent money returns all of it, a lost one costs its fee', async () => {
  const road = firsts.find(([name]) => name === 'stripe')![1]
  for (const end of ['won', 'lost'] as const) {
    const { orderNo, userId, tradeNo } = await paid(road)
    const legs = [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd('12') }]
    await transact(db, operator, (tx) => postTransaction(tx, { kind: 'test.spend', ref: createId('spend'), legs }))
    stripe.dispute(tradeNo, 'needs_response')
    await stripe.deliver()
    expect([await stateOf(orderNo), await balance(userId), (await readBalance(db, userId)).receivable]).toEqual(['disputed', 0n, -parseUsd('12')])
    await expect(refund(orderNo, '1')).rejects.toThrow('ORDER_NOT_REFUNDABLE')
    stripe.dispute(tradeNo, end)
    await stripe.deliver()
    await dueNow(orderNo)
    const { available, receivable } = await readBalance(db, userId)
    expect([await stateOf(orderNo), available, receivable]).toEqual(end === 'won' ? ['fulfilled', parseUsd('8'), 0n] : ['refunded', 0n, -parseUsd('27')])
  }
})

test('the channel’s fee of an unreported payment is booked once an operator has approved the payment', async () => {
  const road = firsts[0]![1]
  const { orderNo, userId, tradeNo } = await open(road)
  await road.fake.pay(tradeNo, { silent: true })
  const day = toShanghaiDay(clock.now())
  await db.query('insert into payments_statements (channel_type, day, next_check_at) values ($1,$2,now()) on conflict do nothing', [road.channelType, day])
  await compareStatementDay(deps, road.channelType, day)
  const fault = (await selectOpenDiscrepancies(db, 10)).find((each) => each.tradeNo === tradeNo)!
  const costs = () => db.query('select fee_minor, currency from payments_channel_costs where channel_txn = $1', [fault.theirs!['channelTxn']])
  expect([fault.class, await costs(), await balance(userId)]).toEqual(['extra', [], 0n])
  await decideDiscrepancy(deps, operator, {
    id: fault.id,
    verdict: 'approved',
    reason: 'seen in the file',
    answers: await queryDiscrepancyOrder(deps, fault.id, 'approved'),
  })
  // 0.6 % of 147.45.
  expect([await costs(), await stateOf(orderNo), await balance(userId)]).toEqual([[{ feeMinor: 88n, currency: 'CNY' }], 'fulfilled', parseUsd('20')])
})

test("the statements agree; what each company kept is booked once, in its own currency, and each company's book is ours", async () => {
  await work()
  const kept = async () =>
    db.query<{ currency: string; posted: bigint }>(
      `select currency, posted from wallet_accounts where kind = 'channel_costs' and owner = 'system' order by currency`,
    )
  // A run past midnight covers two days.
  const days = [...new Set([begun, toShanghaiDay(clock.now())])]
  const fees = new Map<string, bigint>()
  for (const [, { channelType }] of firsts) {
    for (const day of days) {
      await db.query('insert into payments_statements (channel_type, day, next_check_at) values ($1,$2,now()) on conflict do nothing', [channelType, day])
      await compareStatementDay(deps, channelType, day)
      for (const row of await findChannelById(deps, channelType)!.statement(createChannelTools(deps), day))
        fees.set(row.feeCurrency, (fees.get(row.feeCurrency) ?? 0n) + row.feeMinor)
    }
  }
  expect(
    (await selectOpenDiscrepancies(db, 100))
      .filter((fault) => fault.class !== 'cross_day')
      .map((fault) => ({ class: fault.class, kind: fault.kind, ours: fault.ours, theirs: fault.theirs })),
  ).toEqual([])
  const costs = await kept()
  expect(costs).toEqual(
    [...fees]
      .filter(([, minor]) => minor !== 0n)
      .map(([currency, minor]) => ({ currency, posted: -minor * 10_000_000n }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  )
  for (const [, { channelType }] of firsts) await compareStatementDay(deps, channelType, begun)
  expect(await kept()).toEqual(costs)

  const [books, ours] = [
    await Promise.all(fakes.map((fake) => fake.refunds())),
    await db.query<{ line: string }>(
      `select refund_no || ' ' || minor || ' ' || case state when 'reversed' then 'failed' else state end as line from payments_refunds`,
    ),
  ]
  expect(ours.length).toBeGreaterThan(30)
  expect(ours.map(({ line }) => line).toSorted()).toEqual(
    books.flatMap((all) => all.map(({ refundNo, minor, state }) => `${refundNo} ${minor} ${state}`)).toSorted(),
  )
  expect(await db.query(`select posted from wallet_accounts where kind in ('in_transit', 'suspense') and posted <> 0`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
