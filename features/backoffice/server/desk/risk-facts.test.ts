import { expect, test } from 'vitest'
import type { PayoutRiskRow } from './data-withdrawals.ts'
import { listPayoutRiskFacts } from './risk-facts.ts'

const now = new Date('2026-11-23T08:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const calm: PayoutRiskRow = {
  ...{ paidBefore: 3, payers: 1, payments: 4, disputes: 0, accountDays: 90, verified: true, newDeviceAt: null, reviews: 0 },
  ...{ payeeSince: ago(2000), payeeChangedAt: null, payeeUsers: 0 },
}
const tones = (more: Partial<PayoutRiskRow>) =>
  Object.fromEntries(listPayoutRiskFacts({ ...calm, ...more }, now).map(({ key, tone, value }) => [key, `${tone} ${value}`.trim()]))

test('a known customer with an old payee and no disputes has only good facts', () => {
  expect(new Set(listPayoutRiskFacts(calm, now).map(({ tone }) => tone))).toEqual(new Set(['good']))
})

test('a payee that was just changed is bad for a day, and a warning for a week', () => {
  expect(tones({ payeeChangedAt: ago(3) })).toMatchObject({ payeeChanged: 'bad 3' })
  expect(tones({ payeeChangedAt: ago(36) })).toMatchObject({ payeeChanged: 'warn 36' })
  expect(tones({ payeeChangedAt: ago(24 * 8) })).toMatchObject({ payeeStable: 'good' })
})

test('a shared payee, a dispute and a ring are bad; a first withdrawal, a new device and a young account are warnings', () => {
  expect(tones({ payeeUsers: 2, disputes: 1, reviews: 1 })).toMatchObject({ payeeShared: 'bad 2', disputes: 'bad 1', inRing: 'bad' })
  expect(tones({ paidBefore: 0, verified: false, newDeviceAt: ago(1.5), accountDays: 2, payments: 0 })).toMatchObject({
    ...{ firstWithdrawal: 'warn', notVerified: 'warn', newDevice: 'warn 2', youngAccount: 'warn 3', noPayments: 'warn' },
  })
})
