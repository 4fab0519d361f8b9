import { expect, test } from 'vitest'
import { resolveNamedRange } from './use-range.ts'

const none = { from: '', to: '' }

test('ranges of the first day of a year and of a leap day', () => {
  expect(resolveNamedRange('today', '2027-01-01', none)).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(resolveNamedRange('week', '2027-01-01', none)).toEqual({ from: '2026-12-26', to: '2027-01-01' })
  expect(resolveNamedRange('month', '2027-01-01', none)).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(resolveNamedRange('lastMonth', '2027-01-01', none)).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  expect(resolveNamedRange('lastMonth', '2028-03-31', none)).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})

test('custom days, and thirty days where they are no valid range', () => {
  const days30 = { from: '2026-10-23', to: '2026-11-21' }
  expect(resolveNamedRange('days30', '2026-11-21', none)).toEqual(days30)
  expect(resolveNamedRange('own', '2026-11-21', { from: '2026-10-03', to: '2026-10-05' })).toEqual({ from: '2026-10-03', to: '2026-10-05' })
  for (const own of [none, { from: '2026-10-05', to: '2026-10-03' }, { from: '2026-10-05', to: '' }, { from: 'x', to: '2026-10-05' }])
    expect(resolveNamedRange('own', '2026-11-21', own)).toEqual(days30)
})
