import { expect, test } from 'vitest'
import { sumUsd, usdDisplay } from '#platform/web/money.tsx'
import { feeExample, sampleLines, sampleTotal } from './sample.ts'

test('the receipt in the hero adds up in the places that are shown', () => {
  expect(sampleLines.map((line) => usdDisplay(line.amount, 4))).toEqual(['$0.0215', '$0.0219', '$0.0042'])
  expect(usdDisplay(sampleTotal, 4)).toBe('$0.0476')
  expect(sumUsd(sampleLines.map((line) => usdDisplay(line.amount, 4).slice(1)))).toBe(sampleTotal)
})

test('the fee of the example is 3.5 %, rounded up to the cent', () => {
  expect(feeExample).toEqual({ amount: '20', fee: '0.7', total: '20.7' })
})
