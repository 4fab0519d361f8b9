import { expect, test } from 'vitest'
import { computeBillPeriod } from './bills.ts'

test.each([
  [0, '2026-11-29', '2026-11-29'],
  [1, '2026-11-29', '2026-11-23'],
  [1, '2026-11-30', '2026-11-30'],
  [1, '2027-01-01', '2026-12-28'],
  [2, '2026-11-29', '2026-11-01'],
  [2, '2027-01-01', '2027-01-01'],
] as const)('period %i on %s begins on %s', (periodType, today, from) => expect(computeBillPeriod(periodType, today)).toEqual({ from, to: today }))
