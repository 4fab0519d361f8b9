import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { computePriceFigures, formatFigures } from '../../figures.ts'
import { cleanAmount, isTypable, normalizeAmount, findAmountProblem } from './amount.ts'

const bounds = { min: '5', max: '400' }

test('an input takes as many digits as the maximum, two decimals and no sign', () => {
  for (const good of ['', '5', '400', '999', '20.', '20.5', '20.55']) expect([good, isTypable(good, bounds)]).toEqual([good, true])
  for (const bad of ['-5', '+5', '1000', '20.555', 'abc', '1e2', '２０', '1,0', '.5', ' 5']) expect([bad, isTypable(bad, bounds)]).toEqual([bad, false])
})

test('a Chinese keyboard types the same amount', () => {
  expect(['２０．５', '20。5', ' 20 ', '五'].map(normalizeAmount)).toEqual(['20.5', '20.5', '20', '五'])
})

test('the amount sent has no needless zeros, and none is sent without a number', () => {
  expect(['20.', '020', '20.50', '0', '', 'x'].map(cleanAmount)).toEqual(['20', '20', '20.5', '0', undefined, undefined])
})

test('a missing, a too small and a too large amount are distinguished', () => {
  expect([undefined, '0', '4.99', '5', '400', '400.01'].map((amount) => findAmountProblem(amount, bounds))).toEqual([
    'amount_missing',
    'amount_small',
    'amount_small',
    undefined,
    undefined,
    'amount_large',
  ])
})

test('every line of the receipt adds up on screen, for every amount to the cent', () => {
  for (let cents = 500; cents <= 40_000; cents += 7) {
    const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
    const texts = formatFigures(computePriceFigures(amount, { feePercent: '3.5', fixedFee: '0' }, { rate: '7.1230' }))
    const shown = (text: string) => parseUsd(showUsd(text).replaceAll(',', ''))
    expect(shown(texts.amount) + shown(texts.fee)).toBe(shown(texts.total))
    const exact = shown(texts.total) * 7123n
    const paid = parseUsd(texts.payAmount) * 1000n
    expect(paid >= exact && paid - exact < 10_000_000n * 1000n).toBe(true)
  }
})
