import { describe, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { ORDER_TYPE } from '../../words.ts'
import type { OrderRow } from '../data.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { computeBroughtAmount, resolveReceiptEarnings, findMainReceipt } from './restate-order.ts'
import { toPaymentOrder, toOrderRecord, computeSecondsLeft } from './view.ts'

const AT = new Date('2026-11-26T04:00:00Z')
const secondsAfter = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
const anOrder = (change: Partial<OrderRow> = {}) =>
  ({
    ...{ id: 1n, orderNo: '20261126-AAAA', userId: 'usr_1', orderType: 10, state: 'paying', source: 'user', baseState: null, wishes: {} },
    ...{ amountNano: parseUsd('18'), discountNano: parseUsd('2'), feePercent: '3.5', feeNano: parseUsd('0.93'), fixedNano: parseUsd('0.3') },
    ...{ totalNano: parseUsd('18.93'), rate: '7.1230', currency: 'CNY', payMinor: 13484n, channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' },
    ...{ createdAt: AT, expiresAt: secondsAfter(900), paidAt: null, now: AT, ...change },
  }) as OrderRow
const aReceipt = (change: Partial<PaymentReceiptRow> = {}) =>
  ({ id: 7n, outcome: 'credited', resolvedNano: null, paidMinor: 13484n, ...change }) as PaymentReceiptRow

describe('how long an order can be paid', () => {
  test.each([
    ['created', 900, 900],
    ['paying', 899, 899],
    ['paying', 0.9, 0],
    ['paying', -5, 0],
    ['paid', 900, 0],
    ['fulfilled', 900, 0],
    ['cancelled', 900, 0],
    ['expired', 900, 0],
  ] as const)('%s, %d seconds before its end: %i seconds left', (state, seconds, left) => {
    expect(computeSecondsLeft(anOrder({ state, expiresAt: secondsAfter(seconds) }))).toBe(left)
    expect(toOrderRecord(anOrder({ state, expiresAt: secondsAfter(seconds) })).payable).toBe(left > 0)
  })

  test('an order of auto recharge is never paid by hand', () => {
    expect(computeSecondsLeft(anOrder({ source: 'auto' }))).toBe(0)
    expect(toOrderRecord(anOrder({ source: 'auto' })).payable).toBe(false)
  })
})

describe('an order as its owner reads it', () => {
  test('shows the amount that is credited, with what came off the price beside it, and no id of ours', () => {
    const seen = toPaymentOrder(anOrder())
    expect(seen).toMatchObject({
      amount: '20',
      fee: '0.93',
      fixedFee: '0.3',
      total: '18.93',
      payAmount: '134.84',
      payCurrency: 'CNY',
      payStatus: 0,
      successTime: null,
    })
    expect(toOrderRecord(anOrder())).toMatchObject({ orderType: 1, orderAmount: '20', fee: '0.93', payAmount: '134.84' })
    expect(JSON.stringify(seen)).not.toContain('usr_1')
  })

  test('a recharge says whether it came from the balance (1) or online (2), anything else nothing', () => {
    const kindOf = (change: Partial<OrderRow>) => toOrderRecord(anOrder(change)).rechargeType
    expect([kindOf({}), kindOf({ orderType: ORDER_TYPE.RECHARGE, channelType: 5 }), kindOf({ orderType: ORDER_TYPE.OPEN_ACCOUNT })]).toEqual([2, 1, undefined])
  })

  test.each(Object.values(ORDER_TYPE))('an order of type %i is a recharge only if it fills the balance', (type) => {
    expect(toOrderRecord(anOrder({ orderType: type })).orderType).toBe(type === ORDER_TYPE.OPENAI_API ? 1 : 3)
  })

  test('takes the time of payment from the row and not from the clock', () => {
    expect(toPaymentOrder(anOrder({ state: 'fulfilled', paidAt: secondsAfter(60), now: secondsAfter(9_999) })).successTime).toBe(secondsAfter(60).toISOString())
  })
})

describe('the worth of a payment to its buyer', () => {
  test.each([
    ['credited', '18'],
    ['late', '18'],
    ['again', '18'],
    ['suspense', '0'],
    ['returning', '0'],
  ] as const)('%s: %s', (outcome, worth) => {
    expect(computeBroughtAmount(anOrder(), aReceipt({ outcome }))).toBe(parseUsd(worth))
  })

  test('a payment out of suspense is worth what an operator gave for it', () => {
    expect(computeBroughtAmount(anOrder(), aReceipt({ outcome: 'suspense', resolvedNano: parseUsd('3.1') }))).toBe(parseUsd('3.1'))
    expect(resolveReceiptEarnings(anOrder(), aReceipt({ outcome: 'suspense', resolvedNano: parseUsd('3.1') }))).toBe('credit')
  })

  test('a second payment is credit whatever was ordered', () => {
    expect(resolveReceiptEarnings(anOrder(), aReceipt({ outcome: 'again' }))).toBe('credit')
  })

  test('the receipt that paid the order comes first, whatever arrived before it; an order paid from the balance has none', () => {
    const [wrong, right, second] = [aReceipt({ id: 1n, outcome: 'suspense' }), aReceipt({ id: 2n, outcome: 'late' }), aReceipt({ id: 3n, outcome: 'again' })]
    expect(findMainReceipt([wrong, right, second])).toBe(right)
    expect(findMainReceipt([wrong])).toBe(wrong)
    expect(findMainReceipt([])).toBeUndefined()
  })
})
