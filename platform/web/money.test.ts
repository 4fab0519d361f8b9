import { expect, test } from 'vitest'
import { cnyAbout, cnyDisplay, sumUsd, usdDisplay, usdShort } from './money.tsx'

test('amounts are grouped, signed with a real minus, and whole', () => {
  expect(usdDisplay('1234.567')).toBe('$1,234.567')
  expect(usdDisplay('-0.0602', 4, true)).toBe('−$0.0602')
  expect(usdDisplay('20', 2, true)).toBe('+$20.00')
  expect(cnyDisplay('147.45')).toBe('¥147.45')
  expect([usdShort('44.349', 'have'), usdShort('15.651', 'spent'), usdShort('-0.004', 'have')]).toEqual(['$44.34', '$15.66', '−$0.004'])
  expect(cnyAbout('2.13645', 4)).toBe('¥2.1365')
})

test('sums are exact', () => {
  expect(sumUsd(['0.1', '0.2', '0.000000001'])).toBe('0.300000001')
  expect(sumUsd([])).toBe('0')
})
