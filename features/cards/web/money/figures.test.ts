import { expect, test } from 'vitest'
import { amountOf, mostOff, onCard, problemOf, typedAmount, usableFor } from './figures.ts'

test('an input is taken over as it may become an amount, full-width digits too', () => {
  expect(typedAmount('１２．５')).toBe('12.5')
  expect(typedAmount('$1,200.00')).toBe('1200.00')
  expect(typedAmount('12.345')).toBeUndefined()
  expect(typedAmount('1e3')).toBeUndefined()
})

test('an input is an amount only when it is whole', () => {
  expect(amountOf('25.00')).toBe('25')
  expect(amountOf('25.')).toBeUndefined()
  expect(amountOf('0.00')).toBeUndefined()
})

test('bounds hold on both sides, themselves included', () => {
  const bounds = { min: '25', max: '60' }
  expect([problemOf('24.99', bounds), problemOf('25', bounds), problemOf('60', bounds), problemOf('60.01', bounds)]).toEqual([
    'tooSmall',
    undefined,
    undefined,
    'tooLarge',
  ])
})

test('the activation fee comes out of the recharge, one dollar stays on the card, given credit stays in the account', () => {
  expect(onCard('25', '1')).toBe('24')
  expect(mostOff('38.62', '1')).toBe('37.62')
  expect(mostOff('0.40', '1')).toBe('0')
  expect(mostOff('-3', '1')).toBe('0')
  expect(usableFor({ available: '100.38', granted: '2' })).toBe('98.38')
})
