import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subtractNano, NANO_PER_CENT, NANO_PER_USD, parseUsd, sumNano, formatUsd } from './money.ts'
import { formatCount, countCommonPlaces, countShortPlaces, shortenUsd, showUsd } from './show-money.ts'

const runs = { numRuns: 500 }
const read = (text: string) => parseUsd(text.replaceAll(',', ''))
/** From a nano-dollar to a billion dollars, log-uniform. */
const amount = fc
  .tuple(fc.integer({ min: 0, max: 18 }), fc.bigInt({ min: 0n, max: 9n }))
  .chain(([digits, first]) =>
    fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }).map((rest) => (first * 10n ** BigInt(digits) + rest) % (NANO_PER_USD * 1_000_000_000n)),
  )

test('listed amounts add up to their total, whatever the rows', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 9 }), (rows) => {
      const total = sumNano(rows)
      const texts = [...rows, total].map(formatUsd)
      const places = countCommonPlaces(texts)
      const shown = texts.map((text) => showUsd(text, places))
      expect(sumNano(shown.slice(0, -1).map(read))).toBe(read(shown.at(-1)!))
      expect(new Set(shown.map((text) => text.split('.')[1]!.length)).size).toBe(1)
    }),
    runs,
  )
})

test('an amount is shown whole with two decimals at least, and every page shows the same', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 2, max: 9 }), (value, places) => {
      const text = showUsd(formatUsd(value))
      expect(text).toMatch(/^\d{1,3}(,\d{3})*\.\d{2,9}$/)
      expect(read(text)).toBe(value)
      expect(read(showUsd(formatUsd(value), places))).toBe(value)
    }),
    runs,
  )
})

test('headline figures add up: income is use plus the rest, and only zero is shown as zero', () => {
  fc.assert(
    fc.property(amount, amount, amount, (first, second, third) => {
      const spent = formatUsd(first)
      const have = formatUsd(second)
      const whole = formatUsd(sumNano([first, second]))
      const part = formatUsd(third < first ? third : first)
      const places = countShortPlaces([spent, have, part], [whole])
      const [shownSpent, shownHave, shownWhole, shownPart] = [
        shortenUsd(spent, 'spent', places),
        shortenUsd(have, 'have', places),
        shortenUsd(whole, 'have', places),
        shortenUsd(part, 'spent', places),
      ].map(read) as [bigint, bigint, bigint, bigint]
      expect(sumNano([shownSpent, shownHave])).toBe(shownWhole)
      expect(shownHave <= second && shownSpent >= first && shownPart <= shownSpent).toBe(true)
      for (const [shown, real] of [
        [shownSpent, first],
        [shownHave, second],
        [shownPart, parseUsd(part)],
      ] as const)
        expect(shown > 0n).toBe(real > 0n)
    }),
    runs,
  )
})

test('a single figure is short, but never rounded to zero', () => {
  const have = (text: string) => shortenUsd(text, 'have')
  const spent = (text: string) => shortenUsd(text, 'spent')
  expect([have('44.345678013'), spent('15.654321987')]).toEqual(['44.34', '15.66'])
  expect([have('0.0008'), spent('0.00081'), have('0.000000001'), have('0')]).toEqual(['0.0008', '0.0009', '0.000000001', '0.00'])
  expect([have('-0.001'), have('-1234.5')]).toEqual(['-0.001', '-1,234.50'])
  expect(have('1234567.899')).toBe('1,234,567.89')
})

test('rows of a page that once did not add up now do', () => {
  const rows = ['0.00401', '0.00082', '0.00073', '0.00034']
  expect(rows.map((row) => showUsd(row, countCommonPlaces(rows)))).toEqual(['0.00401', '0.00082', '0.00073', '0.00034'])
  expect(showUsd(formatUsd(sumNano(rows.map(parseUsd))))).toBe('0.0059')
  const places = countShortPlaces(['44.345678', '15.654322', '0.8'], ['60'])
  expect([shortenUsd('60', 'have', places), shortenUsd('15.654322', 'spent', places), shortenUsd('44.345678', 'have', places)]).toEqual([
    '60.00',
    '15.66',
    '44.34',
  ])
  expect(subtractNano(6000n * NANO_PER_CENT, parseUsd('15.66'))).toBe(parseUsd('44.34'))
})

test('counts read as they do anywhere in English', () => {
  const english = new Intl.NumberFormat('en-US')
  for (const count of [0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1.5, 12.3456, 1_234.5678, 8_765_432_109_876, -1_234])
    expect(formatCount(count)).toBe(english.format(count))
})
