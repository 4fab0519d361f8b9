import { expect, test } from 'vitest'
import { barsOfSeries, legendOf, placesOf } from './usage-bars.ts'
import type { Series } from './usage-bars.ts'

const sums = { callNum: 1, failNum: 0, totalTokens: 10, consumeAmount: '0.5' }

test('a day has 24 hours, a leap February 29 days, a winter five months', () => {
  expect(placesOf({ from: '2026-11-21', to: '2026-11-21', step: 'hour' })).toHaveLength(24)
  expect(placesOf({ from: '2028-02-01', to: '2028-02-29', step: 'day' })).toHaveLength(29)
  expect(placesOf({ from: '2026-11-15', to: '2027-03-01', step: 'month' })).toEqual(['2026-11', '2026-12', '2027-01', '2027-02', '2027-03'])
})

test('what has no place of its own is one colour; empty hours are drawn', () => {
  const series: Series = {
    from: '2026-11-20',
    to: '2026-11-21',
    step: 'hour',
    points: [
      { at: '2026-11-21 08', name: 'gpt-6-luna', ...sums },
      { at: '2026-11-21 08', name: null, ...sums },
    ],
    groups: [{ name: 'gpt-6-luna', label: 'gpt-6-luna', vendor: 'openai', ...sums }],
    totals: sums,
  }
  const bars = barsOfSeries(series)
  expect(bars).toHaveLength(48)
  expect(bars[32]).toEqual({ label: '11-21 08:00', values: { 'n:gpt-6-luna': '0.5', 'rest': '0.5' } })
  expect(legendOf(series, '其他').map((item) => [item.label, item.color])).toEqual([
    ['gpt-6-luna', 5],
    ['其他', 8],
  ])
})
