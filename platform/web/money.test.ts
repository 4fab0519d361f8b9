import { expect, test } from 'vitest'
import { displayApproximateCny, displayCny, sumUsd, displayUsd, displayShortUsd } from './money.tsx'

test('amounts are grouped, signed with a real minus, and whole', () => {
  expect(displayUsd('1234.567')).toBe('$1,234.567')
  expect(displayUsd('-0.0602', 4, true)).toBe('−$0.0602')
  expect(displayUsd('20', 2, true)).toBe('+$20.00')
  expect(displayCny('147.45')).toBe('¥147.45')
  expect([displayShortUsd('44.349', 'have'), displayShortUsd('15.651', 'spent'), displayShortUsd('-0.004', 'have')]).toEqual(['$44.34', '$15.66', '−$0.004'])
  expect(displayApproximateCny('2.13645', 4)).toBe('¥2.1365')
})

test('sums are exact', () => {
  expect(sumUsd(['0.1', '0.2', '0.000000001'])).toBe('0.300000001')
  expect(sumUsd([])).toBe('0')
})
