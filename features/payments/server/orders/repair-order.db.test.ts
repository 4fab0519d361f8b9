import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { pressCashier } from '../builders.ts'
import { createRefundingApp } from '../testing/refunding.ts'
import { approveOrder, queryOrderTrades, repairOrder } from './repair-order.ts'

const app = await createRefundingApp()
const { db, deps, open, stateOf, balance, operator, work, refund, refunds } = app
type Answers = Awaited<ReturnType<typeof queryOrderTrades>>
const repair = (orderNo: string, answers: Answers) => repairOrder(deps, operator, { orderNo, reason: 'ticket 1', answers })
const endNow = (orderNo: string) => db.owner.query(`update payments_orders set expires_at = now() - interval '1 second' where order_no = $1`, [orderNo])
const suspense = async (currency: string) =>
  (await db.query<{ posted: bigint }>(`select posted from wallet_accounts where kind = 'suspense' and owner = 'system' and currency = $1`, [currency]))[0]
    ?.posted ?? 0n
const factsOf = async (orderNo: string) =>
  (
    await db.query<{ data: { from: string; facts: string[] } }>(`select data from audit_rows where action = 'order.repaired' and target = $1 order by id`, [
      `order:${orderNo}`,
    ])
  ).map(({ data }) => data)
/** An order whose payment differs from the amount requested. */
const parked = async (other: string) => {
  const opened = await open()
  await pressCashier(opened.params, 'silent')
  await db.query(`update payments_sandbox_payments set ${other} where token = $1`, [opened.params.payUrl.split('/').at(-1)])
  await app.check(opened.orderNo)
  expect(await stateOf(opened.orderNo)).toBe('integrity_failure')
  return opened
}

test('an answer from before the payment undoes nothing when it is applied after it', async () => {
  const { orderNo, userId, params } = await open()
  const early = await queryOrderTrades(deps, orderNo)
  await pressCashier(params, 'silent')
  await app.check(orderNo)
  await endNow(orderNo)
  expect((await repair(orderNo, early)).state).toBe('fulfilled')
  expect([await balance(userId), (await factsOf(orderNo))[0]]).toEqual([
    parseUsd('20'),
    { reason: 'ticket 1', from: 'fulfilled', facts: [expect.stringMatching(/ open$/)] },
  ])
})

test('an order repaired by five people while its notice comes is credited once, and each leaves a name and a reason', async () => {
  const { orderNo, userId, params } = await open()
  await pressCashier(params, 'pay')
  const answers = await queryOrderTrades(deps, orderNo)
  await Promise.all([app.deliver(), app.check(orderNo), ...Array.from({ length: 5 }, () => repair(orderNo, answers))])
  expect([await stateOf(orderNo), await balance(userId), (await factsOf(orderNo)).length]).toEqual(['fulfilled', parseUsd('20'), 5])
})

test('an answer of the channel ends an order whose time is over, its silence does not', async () => {
  const { orderNo } = await open()
  await endNow(orderNo)
  const answers = await queryOrderTrades(deps, orderNo)
  const silent = answers.map((answer) => ({ ...answer, fact: undefined }))
  expect((await repair(orderNo, silent)).state).toBe('paying')
  expect((await factsOf(orderNo))[0]).toMatchObject({ facts: [expect.stringMatching(/ no answer$/)] })
  expect((await repair(orderNo, answers)).state).toBe('expired')
})

test('half of the money, approved by five at once, is balance once at the order’s rate less the fee’s share, and only that can go back', async () => {
  const before = await suspense('CNY')
  const { orderNo, userId } = await parked('minor = 7000')
  expect((await suspense('CNY')) - before).toBe(parseUsd('70'))
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => approveOrder(deps, operator, { orderNo, reason: 'the user agrees' })))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  // 70 / 7.123 = 9.827319949, of which 20 / 20.7
  expect([await balance(userId), (await suspense('CNY')) - before]).toEqual([parseUsd('9.494995119'), 0n])
  await expect(refund(orderNo, '9.5')).rejects.toThrow('ORDER_REFUND_TOO_LARGE')
  await refund(orderNo)
  await work()
  expect([await balance(userId), (await refunds(orderNo)).map(({ minor, state }) => [minor, state])]).toEqual([0n, [[7000n, 'succeeded']]])
})

test('a payment in another currency is never approved into balance, and goes back whole in its own', async () => {
  const before = await suspense('USD')
  const { orderNo, userId } = await parked(`currency = 'USD'`)
  await expect(approveOrder(deps, operator, { orderNo, reason: 'looks right' })).rejects.toThrow('ORDER_NOT_REFUNDABLE')
  expect([await balance(userId), (await suspense('USD')) - before]).toEqual([0n, parseUsd('147.45')])
  await refund(orderNo)
  await work()
  expect([await stateOf(orderNo), await balance(userId), (await suspense('USD')) - before]).toEqual(['refunded', 0n, 0n])
  expect(await refunds(orderNo)).toMatchObject([{ minor: 14_745n, state: 'succeeded' }])
})

test('money on its way back is not approved as well, whichever comes first', async () => {
  const back = await parked('minor = 7000')
  await refund(back.orderNo)
  await expect(approveOrder(deps, operator, { orderNo: back.orderNo, reason: 'too late' })).rejects.toThrow('ORDER_NOT_REFUNDABLE')
  await work()
  expect([await stateOf(back.orderNo), await balance(back.userId)]).toEqual(['refunded', 0n])
  for (let round = 0; round < 5; round++) {
    const { orderNo, userId } = await parked('minor = 7000')
    const [yes] = await Promise.allSettled([approveOrder(deps, operator, { orderNo, reason: 'yes' }), refund(orderNo)])
    await work()
    const isCredit = yes.status === 'fulfilled'
    const gone = (await refunds(orderNo)).reduce((all, { minor }) => all + minor, 0n)
    // If the approval came first, the money is credit, and the later refund takes all of it or nothing.
    expect([isCredit ? gone <= 7000n : gone === 7000n, await balance(userId)]).toEqual([true, isCredit && gone === 0n ? parseUsd('9.494995119') : 0n])
  }
})

test('afterwards the books are the same, and the ledger adds up', async () => {
  const { theirs, ours } = await app.books()
  expect(ours).toEqual(theirs)
  expect((await verifyLedger(db)).problems).toEqual([])
})
