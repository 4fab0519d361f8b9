import { expect, test } from 'vitest'
import type { PayoutRiskRow } from './data-withdrawals.ts'
import { listPayoutRiskFacts } from './risk-facts.ts'

const now = new Date('2026-11-23T08:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const calm: PayoutRiskRow = {
  ...{ paid_before: 3, payers: 1, payments: 4, disputes: 0, account_days: 90, verified: true, new_device_at: null, reviews: 0 },
  ...{ payee_since: ago(2000), payee_changed_at: null, payee_users: 0 },
}
const tones = (more: Partial<PayoutRiskRow>) =>
  Object.fromEntries(listPayoutRiskFacts({ ...calm, ...more }, now).map(({ key, tone, value }) => [key, `${tone} ${value}`.trim()]))

test('a known customer with an old payee and no disputes has only good facts', () => {
  expect(new Set(listPayoutRiskFacts(calm, now).map(({ tone }) => tone))).toEqual(new Set(['good']))
})

test('a payee that was just changed is bad for a day, and a warning for a week', () => {
  expect(tones({ payee_changed_at: ago(3) })).toMatchObject({ payeeChanged: 'bad 3' })
  expect(tones({ payee_changed_at: ago(36) })).toMatchObject({ payeeChanged: 'warn 36' })
  expect(tones({ payee_changed_at: ago(24 * 8) })).toMatchObject({ payeeStable: 'good' })
})

test('a shared payee, a dispute and a ring are bad; a first withdrawal, a new device and a young account are warnings', () => {
  expect(tones({ payee_users: 2, disputes: 1, reviews: 1 })).toMatchObject({ payeeShared: 'bad 2', disputes: 'bad 1', inRing: 'bad' })
  expect(tones({ paid_before: 0, verified: false, new_device_at: ago(1.5), account_days: 2, payments: 0 })).toMatchObject({
    ...{ firstWithdrawal: 'warn', notVerified: 'warn', newDevice: 'warn 2', youngAccount: 'warn 3', noPayments: 'warn' },
  })
})
