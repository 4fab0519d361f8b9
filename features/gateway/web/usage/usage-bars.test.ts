import { expect, test } from 'vitest'
import { buildSeriesBars, getBarDays, buildLegend, listChartPoints, getMetricReducer, getGroupSums } from './usage-bars.ts'
import type { UsageSeries } from './usage-bars.ts'

const sums = { callNum: 1, failNum: 0, totalTokens: 10, consumeAmount: '0.5' }

test('a day has 24 hours, a leap February 29 days, a winter five months', () => {
  expect(listChartPoints({ from: '2026-11-21', to: '2026-11-21', step: 'hour' })).toHaveLength(24)
  expect(listChartPoints({ from: '2028-02-01', to: '2028-02-29', step: 'day' })).toHaveLength(29)
  expect(listChartPoints({ from: '2026-11-15', to: '2027-03-01', step: 'month' })).toEqual(['2026-11', '2026-12', '2027-01', '2027-02', '2027-03'])
})

test('groups without their own place share one colour; empty hours are drawn', () => {
  const series: UsageSeries = {
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
  const bars = buildSeriesBars(series, 'cost', { now: '2026-11-21 08:30:00', today: '今天' })
  expect(bars).toHaveLength(48)
  expect(bars[32]).toEqual({ key: '2026-11-21 08', label: '11-21 08:00', tick: '08:00', isOpen: true, values: { 'n:gpt-6-luna': '0.5', 'rest': '0.5' } })
  expect(bars[31]!.isOpen).toBe(false)
  expect(buildSeriesBars(series, 'calls', { now: '', today: '' })[32]!.values).toEqual({ 'n:gpt-6-luna': '1', 'rest': '1' })
  expect(buildLegend(series, 'model', '其他').map((item) => [item.label, item.color, item.shade])).toEqual([
    ['gpt-6-luna', 1, 0],
    ['其他', 8, 3],
  ])
})

test('models have shades of their vendor’s colour; the sums of the legend are the total', () => {
  const group = (name: string, vendor: string, consumeAmount: string) => ({ name, label: name, vendor, ...sums, consumeAmount })
  const groups = [group('a', 'openai', '5'), group('b', 'anthropic', '4'), group('c', 'openai', '3'), group('d', 'nobody', '2'), group('e', 'openai', '1')]
  const more = Array.from({ length: 4 }, (_, i) => group(`m${i}`, 'google', '0.1'))
  const all = [...groups, ...more]
  const totals = { callNum: 9, failNum: 0, totalTokens: 90, consumeAmount: '15.4' }
  const series: UsageSeries = { from: '2026-11-21', to: '2026-11-21', step: 'day', points: [{ at: '2026-11-21', name: null, ...sums }], groups: all, totals }
  const legend = buildLegend(series, 'model', '其他')
  expect(legend.map((item) => [item.color, item.shade])).toEqual([
    [1, 0],
    [2, 0],
    [1, 1],
    [8, 0],
    [1, 2],
    [3, 0],
    [3, 1],
    [8, 3],
  ])
  expect(getMetricReducer('cost')(legend.map((item) => getGroupSums(series, item.key).consumeAmount))).toBe(totals.consumeAmount)
  expect(legend.reduce((calls, item) => calls + getGroupSums(series, item.key).callNum, 0)).toBe(totals.callNum)
})

test('a bar stands for its days, within the range', () => {
  const range = { from: '2026-02-11', to: '2026-11-22' }
  expect(getBarDays('2026-11-18', range)).toEqual({ from: '2026-11-18', to: '2026-11-18' })
  expect(getBarDays('2026-11-18 23', range)).toEqual({ from: '2026-11-18', to: '2026-11-18' })
  expect(getBarDays('2026-02', range)).toEqual({ from: '2026-02-11', to: '2026-02-28' })
  expect(getBarDays('2026-11', range)).toEqual({ from: '2026-11-01', to: '2026-11-22' })
})
