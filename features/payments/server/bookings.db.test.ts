import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { minorToNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aHold } from '#features/wallet/server/builders.ts'
import {
  readBalance,
  creditUser,
  postTransaction,
  systemAccount,
  readUnspentCredit,
  userAccount,
  verifyLedger,
  voidHold,
} from '#features/wallet/server/door.ts'
import * as book from './bookings.ts'
import * as disputes from './states/book-dispute.ts'
import type { OrderRow } from './data.ts'
import type { PaymentReceiptRow } from './trades/data-receipts.ts'
import type { DisputeRow, RefundRow } from './states/data-refunds.ts'

// Accounts that each posting moves money between. A wrong account keeps the ledger balanced, so no other test detects it.
const db = await useTestDb()
const $ = parseUsd
let userId: string
let order: OrderRow
/** Postings of the last `act`. */
let moved: string[]
beforeEach(() => {
  userId = createId('user')
  order = anOrder()
})
const anOrder = (change: Partial<OrderRow> = {}) =>
  ({ orderNo: createId('order'), userId, amountNano: $('20'), feeNano: $('0.7'), discountNano: 0n, currency: 'CNY', ...change }) as OrderRow
const aRefund = (change: Partial<RefundRow> = {}) =>
  ({
    ...{ refundNo: createId('refund'), receiptId: 1n, source: 'balance', goesTo: 'channel' },
    ...{ amountNano: $('5'), feeNano: 0n, minor: 3562n, currency: 'CNY', ...change },
  }) as RefundRow

async function act<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const last = (await db.query<{ id: bigint }>('select coalesce(max(id), 0)::bigint as id from wallet_transfers'))[0]!.id
  const done = await transact(db, SYSTEM, async (tx) => {
    const answer = await work(tx)
    await tx.audit('test.booked', `user:${userId}`)
    return answer
  })
  const rows = await db.query<{ kind: string; from: string; to: string; amount: bigint; currency: string }>(
    `select w.kind, t.debit_kind as from, t.credit_kind as to, t.amount, t.currency from wallet_transfers t join wallet_transactions w on w.id = t.transaction_id
    where t.id > $1 order by t.id`,
    [last],
  )
  moved = rows.map(({ kind, from, to, amount, currency }) => `${kind}: ${from} > ${to} ${formatUsd(amount)}${currency === 'USD' ? '' : ` ${currency}`}`)
  return done
}
const paid = (of = order) => act((tx) => book.bookPayment(tx, of, { earns: 'credit', ref: of.orderNo }))
const spend = (amount: string) =>
  act((tx) =>
    postTransaction(tx, { kind: 'test.spent', ref: createId('spent'), legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: $(amount) }] }),
  )
const give = (amount: string) => act((tx) => creditUser(tx, { userId, amount: $(amount), from: 'grants', ref: createId('grant') }))
const has = async () => {
  const { available, withdrawable, receivable } = await readBalance(db, userId)
  return { available: formatUsd(available), withdrawable: formatUsd(withdrawable), owes: formatUsd(subtractNano(0n, receivable)) }
}

describe('money that comes in', () => {
  test('a top-up is the buyer’s and its fee ours; booking it again changes nothing', async () => {
    await paid()
    expect(moved).toEqual(['topup: wash > customer 20', 'topup: wash > fees 0.7'])
    await paid()
    expect([moved, await has()]).toEqual([[], { available: '20', withdrawable: '20', owes: '0' }])
  })

  test('a service is our income at once', async () => {
    await act((tx) => book.bookPayment(tx, order, { earns: 'service', ref: order.orderNo }))
    expect(moved).toEqual(['order.paid: wash > revenue 20', 'order.paid: wash > fees 0.7'])
    expect((await has()).available).toBe('0')
  })

  test('a balance payment takes as much bought credit as is asked, the rest of gifts first, and no more than there is', async () => {
    await paid()
    await give('10')
    await act((tx) => book.bookBalancePayment(tx, anOrder({ amountNano: $('12') }), $('4')))
    expect(moved).toEqual(['order.balance: customer > revenue 4', 'order.balance: customer > revenue 8'])
    expect(await has()).toEqual({ available: '18', withdrawable: '16', owes: '0' })
    await expect(act((tx) => book.bookBalancePayment(tx, anOrder({ amountNano: $('18.01') }), 0n))).rejects.toThrow('INSUFFICIENT_FUNDS')
    expect((await has()).available).toBe('18')
  })

  test('a payment that fits no order waits in its own currency, and leaves it in full when it becomes balance', async () => {
    await act((tx) => book.bookSuspense(tx, createId('txn'), { minor: 14745n, currency: 'CNY' }))
    expect(moved).toEqual(['topup.suspense: wash > suspense 147.45 CNY'])
    const receipt = { channelType: 25, channelTxn: createId('txn'), paidMinor: 14745n, currency: 'CNY' } as PaymentReceiptRow
    const ref = await act((tx) => book.bookResolution(tx, order, { receipt, amount: $('20') }))
    expect(ref).toBe(`resolved:25:${receipt.channelTxn}`)
    expect(moved).toEqual(['suspense.resolved: suspense > wash 147.45 CNY', 'topup: wash > customer 20'])
  })

  test('a channel’s fee is a cost in its currency, and a fee that it gives back reduces that cost', async () => {
    await act((tx) => book.bookCosts(tx, createId('cost'), { currency: 'CNY', kept: 88n, back: 0n }))
    expect(moved).toEqual(['channel.costs: channel_costs > wash 0.88 CNY'])
    await act((tx) => book.bookCosts(tx, createId('cost'), { currency: 'CNY', kept: 0n, back: 12n }))
    expect(moved).toEqual(['channel.costs: wash > channel_costs 0.12 CNY'])
    expect(minorToNano(88n)).toBe($('0.88'))
  })
})

describe('a refund', () => {
  test('from the balance is set aside, then leaves with the fee that goes back', async () => {
    await paid()
    const refund = aRefund({ feeNano: $('0.17') })
    await act((tx) => book.setRefundAside(tx, order, refund))
    expect([moved, await has()]).toEqual([['refund.taken: customer > in_transit 5'], { available: '15', withdrawable: '15', owes: '0' }])
    await act((tx) => book.finishRefund(tx, order, refund))
    expect(moved).toEqual(['refund.done: in_transit > wash 5', 'refund.done: fees > wash 0.17'])
  })

  test('takes what its own order brought, not what another did', async () => {
    await paid()
    await spend('18')
    await paid(anOrder())
    await expect(act((tx) => book.setRefundAside(tx, order, aRefund()))).rejects.toThrow('INSUFFICIENT_FUNDS')
    await act((tx) => book.setRefundAside(tx, order, aRefund({ amountNano: $('2') })))
    expect((await has()).available).toBe('20')
  })

  test('that will not arrive frees what was set aside, and can be asked for again', async () => {
    await paid()
    const refund = aRefund({ amountNano: $('20') })
    await act((tx) => book.setRefundAside(tx, order, refund))
    await act((tx) => book.releaseRefund(tx, order, refund))
    expect([moved, await has()]).toEqual([['refund.released: in_transit > customer 20'], { available: '20', withdrawable: '20', owes: '0' }])
    await act((tx) => book.setRefundAside(tx, order, aRefund({ amountNano: $('20') })))
    expect((await has()).available).toBe('0')
  })

  test('that comes back after it arrived is booked the other way, its fee included', async () => {
    await paid()
    const refund = aRefund({ feeNano: $('0.17') })
    await act((tx) => book.setRefundAside(tx, order, refund))
    await act((tx) => book.finishRefund(tx, order, refund))
    await act((tx) => book.reverseRefund(tx, order, refund))
    expect(moved).toEqual(['refund.reversed: wash > in_transit 5', 'refund.reversed: wash > fees 0.17', 'refund.released: in_transit > customer 5'])
    expect((await has()).available).toBe('20')
  })

  test('of a service takes from our income: to the channel, or to the balance with its fee', async () => {
    await act((tx) => book.bookPayment(tx, order, { earns: 'service', ref: order.orderNo }))
    const held = aRefund({ source: 'held', feeNano: $('0.17') })
    await act((tx) => book.setRefundAside(tx, order, held))
    expect(moved).toEqual([])
    await act((tx) => book.finishRefund(tx, order, held))
    expect(moved).toEqual(['refund.done: revenue > wash 5', 'refund.done: fees > wash 0.17'])
    await act((tx) => book.finishRefund(tx, order, aRefund({ source: 'held', goesTo: 'balance', feeNano: $('0.17') })))
    expect(moved).toEqual([
      'refund.done: revenue > wash 5',
      'refund.done: fees > wash 0.17',
      'refund.credited: wash > customer 5',
      'refund.credited: wash > customer 0.17',
    ])
    await act((tx) => book.reverseRefund(tx, order, held))
    expect(moved).toEqual(['refund.credited: wash > customer 5', 'refund.reversed: wash > fees 0.17'])
  })

  test('of an order paid from the balance returns gifts as gifts', async () => {
    await give('10')
    await act((tx) => book.bookBalancePayment(tx, (order = anOrder({ amountNano: $('10') })), 0n))
    await act((tx) => book.finishRefund(tx, order, aRefund({ source: 'held', goesTo: 'balance', receiptId: null, amountNano: $('10') })))
    expect([moved, await has()]).toEqual([['refund.done: revenue > customer 10'], { available: '10', withdrawable: '0', owes: '0' }])
  })

  test('of money in suspense stays in its currency, there and back', async () => {
    await act((tx) => book.bookSuspense(tx, createId('txn'), { minor: 3562n, currency: 'CNY' }))
    const refund = aRefund({ source: 'suspense' })
    await act((tx) => book.setRefundAside(tx, order, refund))
    expect(moved).toEqual([])
    await act((tx) => book.finishRefund(tx, order, refund))
    expect(moved).toEqual(['refund.done: suspense > wash 35.62 CNY'])
    await act((tx) => book.reverseRefund(tx, order, refund))
    expect(moved).toEqual(['topup.suspense: wash > suspense 35.62 CNY'])
  })
})

describe('a dispute', () => {
  let posting = 0
  beforeEach(() => {
    posting = 0
  })
  const claw = (before: string, after: string, fees: { feeBefore?: string; feeAfter?: string } = {}) =>
    act((tx) =>
      disputes.bookClaw(tx, order, {
        dispute: order.orderNo,
        posting: ++posting,
        before: $(before),
        after: $(after),
        feeBefore: $(fees.feeBefore ?? '0'),
        feeAfter: $(fees.feeAfter ?? '0'),
      }),
    )

  test('takes what its order brought, then what else was bought, a gift last; the rest is owed', async () => {
    await paid()
    await spend('15')
    await paid(anOrder({ amountNano: $('6'), feeNano: 0n }))
    await give('4')
    await claw('0', '20', { feeAfter: '0.7' })
    expect(moved).toEqual([
      'dispute: customer > wash 5',
      'dispute: customer > wash 6',
      'dispute: customer > wash 4',
      'dispute: receivable > wash 5',
      'dispute: fees > wash 0.7',
    ])
    expect(await has()).toEqual({ available: '0', withdrawable: '0', owes: '5' })
  })

  test('takes nothing that is promised elsewhere: what else there is, then a gift, the rest is owed', async () => {
    await paid()
    await give('2')
    const hold = await aHold(db, userId, { amount: $('19'), options: { onlyPurchased: true } })
    // No withdrawal holds money here: the order's remaining credit pays first, then the gift, and the rest is debt.
    await claw('0', '20')
    expect(moved).toEqual(['dispute: customer > wash 1', 'dispute: customer > wash 2', 'dispute: receivable > wash 17'])
    await act((tx) => voidHold(tx, hold))
    expect(await has()).toEqual({ available: '2', withdrawable: '2', owes: '0' })
  })

  test('leaves a gift alone while what was bought is enough', async () => {
    await paid()
    await give('30')
    await claw('0', '20')
    expect([moved, await has()]).toEqual([['dispute: customer > wash 20'], { available: '30', withdrawable: '0', owes: '0' }])
  })

  test('won, gives gifts back as gifts, and what was owed as money', async () => {
    const gifts = async () => formatUsd((await readBalance(db, userId)).grantedUnspent)
    await paid()
    await spend('15')
    await paid(anOrder({ amountNano: $('6'), feeNano: 0n }))
    await give('4')
    await claw('0', '20')
    expect([await has(), await gifts()]).toEqual([{ available: '0', withdrawable: '0', owes: '5' }, '0'])
    await claw('20', '18')
    expect([await has(), await gifts()]).toEqual([{ available: '0', withdrawable: '0', owes: '3' }, '0'])
    await claw('18', '14')
    expect([await has(), await gifts()]).toEqual([{ available: '1', withdrawable: '1', owes: '0' }, '0'])
    await claw('14', '0')
    expect([await has(), await gifts()]).toEqual([{ available: '15', withdrawable: '11', owes: '0' }, '4'])
  })

  test('takes the gift of its top-up along, and brings it back as that', async () => {
    const gift = () => readUnspentCredit(db, userId, { orderRef: order.orderNo })
    await act((tx) => book.bookPayment(tx, order, { earns: 'credit', ref: order.orderNo }))
    await act((tx) => creditUser(tx, { userId, amount: $('2'), from: 'grants', ref: createId('grant'), orderRef: order.orderNo }))
    await give('3')
    const ref = createId('dispute')
    await claw('0', '20')
    await act((tx) => disputes.holdGift(tx, order, ref))
    expect([moved, await has()]).toEqual([['bonus.held: customer > grants 2'], { available: '3', withdrawable: '0', owes: '0' }])
    await claw('20', '0')
    await act((tx) => disputes.returnGift(tx, order, ref))
    expect([moved, formatUsd((await gift()).granted), formatUsd((await gift()).purchased)]).toEqual([['bonus.returned: grants > customer 2'], '2', '20'])
    await act((tx) => disputes.returnGift(tx, order, ref))
    expect(moved).toEqual([])
  })

  test('that holds less than before gives the difference back, and the fee alongside', async () => {
    await paid()
    await claw('0', '20', { feeAfter: '0.7' })
    await claw('20', '12', { feeBefore: '0.7', feeAfter: '0.42' })
    expect(moved).toEqual(['dispute: wash > fees 0.28', 'dispute: wash > customer 8'])
    expect(await has()).toEqual({ available: '8', withdrawable: '8', owes: '0' })
    await claw('12', '12')
    expect(moved).toEqual([])
  })

  test('that is lost costs its fee, owed where the balance is too little; won after all, both are given back', async () => {
    await paid()
    await spend('12')
    const ref = createId('fee')
    expect(await act((tx) => disputes.bookDisputeFee(tx, order, { ref, fee: $('15') }))).toBe($('7'))
    expect([moved, await has()]).toMatchObject([['dispute.fee: customer > fees 8', 'dispute.fee: receivable > fees 7'], { available: '0', owes: '7' }])
    await act((tx) => disputes.returnDisputeFee(tx, order, { ref, disputeRow: { feeNano: $('15'), feeOwedNano: $('7') } as DisputeRow }))
    expect(await has()).toEqual({ available: '8', withdrawable: '8', owes: '0' })
  })
})

test('an invoice costs its fee, and none is issued on debt', async () => {
  await paid()
  await act((tx) => book.bookInvoiceFee(tx, userId, { paperNo: createId('paper'), fee: $('0.09') }))
  expect([moved, (await has()).available]).toEqual([['invoice.fee: customer > fees 0.09'], '19.91'])
  await expect(act((tx) => book.bookInvoiceFee(tx, userId, { paperNo: createId('paper'), fee: $('19.92') }))).rejects.toThrow('INSUFFICIENT_FUNDS')
})

test.each([
  [0, undefined],
  [30, '2026-12-26T00:00:00.000Z'],
])('given credit of %s days ends %s', (days, ends) => {
  expect(book.computeGrantExpiry(new Date('2026-11-26T00:00:00Z'), days)?.toISOString()).toBe(ends)
})

test('afterwards the ledger adds up', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
