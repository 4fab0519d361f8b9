import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allocate,
  divideUp,
  MAX_AMOUNT,
  NANO_PER_CENT,
  parseUsd,
  computePercentFee,
  sumNano,
  computeTokenCost,
  toMinorUnits,
  formatUsd,
} from '#platform/shared/money.ts'
import { COUNTS } from './testing/counts.ts'

const seed = Math.floor(Math.random() * 2 ** 31)
const runs = { numRuns: COUNTS.roundings / 4, seed }
const amount = fc.bigInt({ min: 1n, max: MAX_AMOUNT })
const rate = fc.bigInt({ min: 1_000_000n, max: 200_000_000_000n }).map(formatUsd)

test('L11: the parts of a split add up to the whole, each within one unit of its share', () => {
  console.log(`L11 seed ${seed}`)
  fc.assert(
    fc.property(amount, fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 8 }), (whole, weights) => {
      const parts = allocate(whole, weights)
      const all = sumNano(weights)
      expect(sumNano(parts)).toBe(whole)
      parts.forEach((part, i) => expect(part * all - whole * weights[i]! < all && whole * weights[i]! - part * all < all).toBe(true))
    }),
    runs,
  )
})

test('L11: a token charge is at most one unit above its exact price and never below', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (tokens, price) => {
      const over = computeTokenCost(tokens, price) * 1_000_000n - tokens * price
      expect(over >= 0n && over < 1_000_000n).toBe(true)
    }),
    runs,
  )
})

test('L11: an exchange rounds to the cent in our favour', () => {
  fc.assert(
    fc.property(amount, rate, (value, text) => {
      const minor = toMinorUnits(value, text)
      const exact = value * parseUsd(text)
      const unit = 1_000_000_000n * NANO_PER_CENT
      expect(minor * unit >= exact && minor * unit - exact < unit).toBe(true)
    }),
    runs,
  )
})

test('L11: a fee is whole cents, at most one cent above its exact value', () => {
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 0n, max: 50_000_000_000n }), (value, percent) => {
      const fee = computePercentFee(value, formatUsd(percent))
      const exact = divideUp(value * percent, 100n * 1_000_000_000n)
      expect(fee % NANO_PER_CENT).toBe(0n)
      expect(fee >= exact && fee - exact < NANO_PER_CENT).toBe(true)
      expect(parseUsd(formatUsd(value))).toBe(value)
    }),
    runs,
  )
})
