import { describe, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import type { PartRow } from '../set-aside/data-parts.ts'
import { toWithdrawalRecord, toWithdrawalView } from './view.ts'

const AT = new Date('2026-11-26T04:00:00Z')
const LATER = new Date('2026-11-26T05:00:00Z')
const aRow = (change: Partial<WithdrawalRow> = {}) =>
  ({
    ...{ id: 1n, withdrawalNo: 'W20261126-AAAA', userId: 'usr_1', source: 'balance', state: 'requested' },
    ...{ amountNano: parseUsd('50'), payMinor: 35615n, rate: '7.1230', sentNano: null, sentMinor: null, sentTx: null, takenNano: 0n },
    ...{ shown: { alipay: 'w***g@example.com', name: '**明' }, sealed: Buffer.from('sealed'), reason: '', payAfter: null },
    ...{ heldAt: null, heldUntil: null, heldBy: null, heldWhy: '', createdAt: AT, finishedAt: null, now: AT, ...change },
  }) as WithdrawalRow
const aPart = (change: Partial<PartRow> = {}) =>
  ({
    ...{ withdrawalId: 1n, refundNo: 'R20261126-BBBB', orderNo: '20261120-CCCC', transactionType: 2 },
    ...{ amountNano: parseUsd('20'), minor: 14246n, currency: 'CNY', state: 'succeeded', ...change },
  }) as PartRow

describe('a withdrawal as its customer sees it', () => {
  test.each([
    ['requested', true, 0],
    ['approving', true, 0],
    ['approved', true, 0],
    ['in_transit', false, 0],
    ['paid', false, 1],
    ['failed', false, 2],
    ['returned', false, 2],
    ['rejected', false, 2],
    ['cancelled', false, 2],
  ] as const)('%s: cancellable %s, status %i', (state, cancellable, withdrawStatus) => {
    expect(toWithdrawalView(aRow({ state }))).toMatchObject({ state, cancellable, withdrawStatus })
  })

  test('shows masks of the account, never what is sealed; and of a hold neither who nor why', () => {
    const seen = toWithdrawalView(aRow({ heldAt: AT, heldBy: 'op-lin', heldWhy: 'looks wrong' }))
    expect(seen).toMatchObject({ held: true, account: { alipay: 'w***g@example.com', name: '**明' } })
    expect(JSON.stringify(seen)).not.toMatch(/op-lin|looks wrong|sealed|usr_1/)
  })

  test.each([
    [null, null, false],
    [AT, null, true],
    [AT, LATER, true],
    [AT, AT, false],
  ])('held since %s until %s: %s', (heldAt, heldUntil, held) => {
    expect(toWithdrawalView(aRow({ heldAt, heldUntil })).held).toBe(held)
  })

  test('tells rewards apart, and shows a transfer once it has left', () => {
    expect(toWithdrawalView(aRow({ source: 'reward' })).withdrawType).toBe(2)
    expect(toWithdrawalView(aRow())).toMatchObject({ withdrawType: 1, transfer: null })
    expect(toWithdrawalView(aRow({ takenNano: parseUsd('20') })).taken).toBe('20')
    expect(toWithdrawalView(aRow({ sentNano: parseUsd('30'), sentMinor: 21369n })).transfer).toEqual({ amount: '30', payAmount: '213.69' })
  })

  test('shows its own parts only', () => {
    const { parts } = toWithdrawalView(aRow(), [aPart(), aPart({ withdrawalId: 2n, refundNo: 'R-OTHER' })])
    expect(parts).toEqual([
      { refundNo: 'R20261126-BBBB', orderNo: '20261120-CCCC', transactionType: 2, amount: '20', payAmount: '142.46', payCurrency: 'CNY', state: 'succeeded' },
    ])
  })
})

describe('a withdrawal among the recharges', () => {
  test('leaves the balance, is no order that could be paid, and has a time of success only when it arrived', () => {
    expect(toWithdrawalRecord(aRow({ state: 'paid', finishedAt: LATER }), [])).toMatchObject({
      ...{ orderType: 2, payType: 1, orderAmount: '-50', payAmount: '356.15', fee: '0', payStatus: 1, state: 'fulfilled', payable: false },
      successTime: LATER.toISOString(),
    })
    expect(toWithdrawalRecord(aRow({ state: 'failed', finishedAt: LATER }), [])).toMatchObject({ payStatus: 2, state: 'cancelled', successTime: null })
    const less = { takenNano: parseUsd('20'), sentNano: parseUsd('30'), sentMinor: 21369n }
    expect(toWithdrawalRecord(aRow({ state: 'paid', ...less }), [])).toMatchObject({ orderAmount: '-50', payAmount: '213.69' })
    expect(toWithdrawalRecord(aRow(), [])).toMatchObject({ payStatus: 0, state: 'refunding', successTime: null })
  })

  test('sums up its valid parts and the transfer', () => {
    const sent = { sentNano: parseUsd('30'), sentMinor: 21369n }
    const paid = (row: Partial<WithdrawalRow>, ...parts: PartRow[]) => toWithdrawalRecord(aRow(row), parts).payAmount
    expect(paid(sent, aPart())).toBe('356.15')
    expect(paid({}, aPart())).toBe('142.46')
    expect(paid({}, aPart(), aPart({ minor: 100n }))).toBe('143.46')
    // Refused refunds add nothing, and neither do the parts of another withdrawal.
    expect(paid(sent, aPart(), aPart({ state: 'failed' }), aPart({ withdrawalId: 2n }))).toBe('356.15')
    expect(paid({}, aPart({ state: 'failed' }))).toBe('356.15')
    // Yuan and dollars make no sum.
    expect(paid({}, aPart(), aPart({ currency: 'USD', minor: 2000n }))).toBe('356.15')
  })

  test('names the way of its first own part', () => {
    expect(toWithdrawalRecord(aRow(), [aPart({ withdrawalId: 2n, transactionType: 3 }), aPart()]).payType).toBe(2)
  })
})
