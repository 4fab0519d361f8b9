import { describe, expect, test } from 'vitest'
import type { PaymentOrder, PayParams } from '../../contract-shapes.ts'
import { initialPayState, hasOrder, reducePay } from './pay-machine.ts'
import type { PayEvent, PayState } from './pay-machine.ts'

const order: PaymentOrder = {
  orderNo: '20261120-8F31AK2M7QXY',
  orderType: 10,
  payStatus: 0,
  state: 'paying',
  amount: '20',
  feePercent: '3.5',
  fee: '0.7',
  fixedFee: '0',
  total: '20.7',
  rate: '7.1230',
  payAmount: '147.45',
  payCurrency: 'CNY',
  channelType: 25,
  transactionType: 1,
  tradeFrom: 'QRCODE',
  createdTime: '2026-11-20T00:00:00.000Z',
  expireTime: '2026-11-20T00:15:00.000Z',
  successTime: null,
  secondsLeft: 900,
}
const method = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' } as const
const params: PayParams = { orderNo: order.orderNo, form: 'qr', payUrl: 'https://x', payHtml: '', qr: 'https://x', timeExpireTime: 300 }
const paid = { ...order, state: 'fulfilled', payStatus: 1, balance: '44.1' } as const
const opening: PayEvent = { type: 'opening', order, method }
const opened: PayEvent = { type: 'opened', params, now: 1000 }
const polled = (over: Partial<{ state: 'paying' | 'unknown'; scanned: boolean; declined: boolean }> = {}): PayEvent => ({
  type: 'polled',
  polled: { state: 'paying', scanned: false, declined: false, ...over },
  declinedText: 'declined',
})
const run = (...events: PayEvent[]) => events.reduce<PayState>(reducePay, initialPayState)

test('an order whose payer must be identified first waits for that from any step, and is kept', () => {
  const first: PayEvent = { type: 'identityFirst', error: 'face first', way: 'face' }
  const waiting = { step: 'identity', order, method, error: 'face first', way: 'face' }
  expect(run(opening, first)).toEqual(waiting)
  expect(run({ type: 'balance', order, method }, { type: 'balanceAsked' }, first)).toEqual(waiting)
  expect(hasOrder(run(opening, first))).toBe(true)
  expect(run(opening, first, opening, opened).step).toBe('ready')
})

test('an order goes from amount to success without a detour', () => {
  expect(run({ type: 'submitted' })).toEqual({ step: 'amount', busy: true })
  expect(run({ type: 'submitted' }, opening).step).toBe('opening')
  expect(run(opening, opened)).toMatchObject({ step: 'ready', until: 301_000, code: 'active', scanned: false })
  expect(run(opening, opened, polled({ scanned: true }))).toMatchObject({ step: 'ready', scanned: true })
  expect(run(opening, opened, { type: 'paid', order: paid })).toEqual({ step: 'succeeded', order: paid })
})

test('a refused order stays on the amount with its reason', () => {
  expect(run({ type: 'submitted' }, { type: 'refused', error: 'too small' })).toEqual({ step: 'amount', busy: false, error: 'too small' })
})

describe('doubt is not failure', () => {
  test('a lost answer to opening waits, and can still open or be paid', () => {
    expect(run(opening, { type: 'openLost' })).toMatchObject({ step: 'unknown' })
    expect(run(opening, { type: 'openLost' }, opened).step).toBe('ready')
    expect(run(opening, { type: 'openLost' }, { type: 'paid', order: paid }).step).toBe('succeeded')
  })
  test('a lost poll marks doubt and keeps the code; the next one clears it', () => {
    expect(run(opening, opened, { type: 'pollLost' })).toMatchObject({ step: 'ready', doubt: true, code: 'active' })
    expect(run(opening, opened, { type: 'pollLost' }, polled())).toMatchObject({ doubt: false })
  })
})

test('a notice that is read first: then the code; another method can be taken instead', () => {
  const notice = run(opening, { type: 'noticeFirst', url: 'https://site/pay-notice' })
  expect(notice).toEqual({ step: 'notice', order, method, url: 'https://site/pay-notice' })
  expect(hasOrder(notice)).toBe(true)
  expect(reducePay(notice, polled())).toBe(notice)
  expect(reducePay(reducePay(notice, opening), opened)).toMatchObject({ step: 'ready', code: 'active' })
  expect(reducePay(notice, { type: 'changeMethod' })).toMatchObject({ step: 'choosing' })
  expect(reducePay(notice, { type: 'paid', order: paid })).toMatchObject({ step: 'succeeded' })
})

test('an expired code is opened again for the same order', () => {
  const expired = run(opening, opened, { type: 'codeExpired' })
  expect(expired).toMatchObject({ step: 'ready', code: 'expired' })
  expect(reducePay(reducePay(expired, opening), opened)).toMatchObject({ code: 'active', order })
})

test('declined and refused lead to the choice of another method, with the reason', () => {
  expect(run(opening, opened, polled({ declined: true }))).toMatchObject({ step: 'choosing', error: 'declined' })
  expect(run(opening, { type: 'openRefused', error: 'no' })).toMatchObject({ step: 'choosing', error: 'no' })
})

test('changing the method can be taken back', () => {
  const ready = run(opening, opened)
  expect(run(opening, opened, { type: 'changeMethod' }, { type: 'back' })).toEqual(ready)
  expect(run(opening, opened, { type: 'changeMethod' }, { type: 'paid', order: paid }).step).toBe('succeeded')
})

test('ends carry their reason', () => {
  for (const [state, why] of [
    ['expired', 'expired'],
    ['cancelled', 'cancelled'],
    ['integrity_failure', 'mismatch'],
  ] as const) {
    expect(run(opening, opened, { type: 'ended', order: { ...order, state } })).toMatchObject({ step: 'over', why })
  }
})

test('nothing but a restart leaves success, whatever comes late', () => {
  const done = run(opening, opened, { type: 'paid', order: paid })
  const late: PayEvent[] = [
    opened,
    polled({ declined: true }),
    { type: 'pollLost' },
    { type: 'ended', order },
    { type: 'codeExpired' },
    { type: 'openLost' },
    { type: 'openRefused', error: 'x' },
    { type: 'changeMethod' },
    { type: 'back' },
    { type: 'left' },
    { type: 'submitted' },
    { type: 'refused', error: 'x' },
  ]
  for (const event of late) expect([event.type, reducePay(done, event)]).toEqual([event.type, done])
  expect(reducePay(done, { type: 'restart' })).toEqual(initialPayState)
})

test('an order is open in the four steps that poll', () => {
  expect([run(opening), run(opening, opened), run(opening, { type: 'openLost' }), run(opening, opened, { type: 'changeMethod' })].every(hasOrder)).toBe(true)
  expect([initialPayState, run(opening, { type: 'paid', order: paid })].some(hasOrder)).toBe(false)
})

test('a balance payment is asked for, refused with what is missing, asked again, and paid', () => {
  const start: PayEvent = { type: 'balance', order, method }
  expect(run(start)).toEqual({ step: 'balance', order, method, busy: false })
  const confirmed = run({ ...start, isConfirmed: true })
  expect(confirmed).toMatchObject({ isConfirmed: true })
  expect(reducePay(confirmed, { type: 'balanceAsked' }), 'asked once by itself').toEqual({ step: 'balance', order, method, busy: true })
  expect(run(start, { type: 'balanceAsked' })).toMatchObject({ step: 'balance', busy: true })
  const short = run(start, { type: 'balanceAsked' }, { type: 'balanceRefused', error: 'short', missing: '7.25' })
  expect(short).toEqual({ step: 'balance', order, method, busy: false, error: 'short', missing: '7.25' })
  expect(hasOrder(short)).toBe(true)
  expect(reducePay(short, { type: 'balanceAsked' })).toEqual({ step: 'balance', order, method, busy: true })
  expect(reducePay(short, polled())).toBe(short)
  expect(reducePay(short, { type: 'paid', order: paid })).toEqual({ step: 'succeeded', order: paid })
})
