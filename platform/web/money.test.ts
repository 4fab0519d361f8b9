import { expect, test } from 'vitest'
import { cnyDisplay, sumUsd, usdDisplay } from './money.tsx'

test('amounts are grouped, signed with a real minus, and cut, never rounded up', () => {
  expect(usdDisplay('1234.567')).toBe('$1,234.56')
  expect(usdDisplay('-0.0602', 4, true)).toBe('−$0.0602')
  expect(usdDisplay('20', 2, true)).toBe('+$20.00')
  expect(cnyDisplay('147.45')).toBe('¥147.45')
})

test('sums are exact', () => {
  expect(sumUsd(['0.1', '0.2', '0.000000001'])).toBe('0.300000001')
  expect(sumUsd([])).toBe('0')
})
