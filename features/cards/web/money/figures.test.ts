import { expect, test } from 'vitest'
import { parseCardAmount, computeMaxWithdrawal, computeLoadedAmount, findCardAmountProblem, cleanTypedAmount, computeUsableForCard } from './figures.ts'

test('an input is taken over as it may become an amount, full-width digits too', () => {
  expect(cleanTypedAmount('１２．５')).toBe('12.5')
  expect(cleanTypedAmount('$1,200.00')).toBe('1200.00')
  expect(cleanTypedAmount('12.345')).toBeUndefined()
  expect(cleanTypedAmount('1e3')).toBeUndefined()
})

test('an input is an amount only when it is whole', () => {
  expect(parseCardAmount('25.00')).toBe('25')
  expect(parseCardAmount('25.')).toBeUndefined()
  expect(parseCardAmount('0.00')).toBeUndefined()
})

test('bounds hold on both sides, themselves included', () => {
  const bounds = { min: '25', max: '60' }
  expect([
    findCardAmountProblem('24.99', bounds),
    findCardAmountProblem('25', bounds),
    findCardAmountProblem('60', bounds),
    findCardAmountProblem('60.01', bounds),
  ]).toEqual(['tooSmall', undefined, undefined, 'tooLarge'])
})

test('the activation fee comes out of the recharge, one dollar stays on the card, given credit stays in the account', () => {
  expect(computeLoadedAmount('25', '1')).toBe('24')
  expect(computeMaxWithdrawal('38.62', '1')).toBe('37.62')
  expect(computeMaxWithdrawal('0.40', '1')).toBe('0')
  expect(computeMaxWithdrawal('-3', '1')).toBe('0')
  expect(computeUsableForCard({ available: '100.38', granted: '2' })).toBe('98.38')
})
