import type { ReplyOf } from '#platform/shared/contract.ts'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { sumUsd } from '#platform/web/money.tsx'
import type { Bar, Series as ChartSeries } from '#ui/chart/series.ts'
import type { usageContract } from '../../contract-usage.ts'
import { getVendorColor, findShownVendor } from '../vendors/shown.ts'
import type { ShanghaiDayRange } from '../use-range.ts'

export type UsageSeries = ReplyOf<(typeof usageContract)['usageSeries']>

const REST_KEY = 'rest'
/** Number of groups with their own colour; the server returns points for as many. */
const MAX_NAMED = 7
const toGroupKey = (name: string | null) => (name === null ? REST_KEY : `n:${name}`)
const HOUR_MS = 3_600_000

/** All hours, days or months of the range, including those without use. */
export function listChartPoints({ from, to, step }: Pick<UsageSeries, 'from' | 'to' | 'step'>): string[] {
  const places: string[] = []
  if (step === 'month') {
    for (let [year, month] = from.split('-').map(Number) as [number, number]; ; month === 12 ? ((year += 1), (month = 1)) : (month += 1)) {
      const place = `${year}-${String(month).padStart(2, '0')}`
      if (place > to.slice(0, 7)) return places
      places.push(place)
    }
  }
  const each = step === 'hour' ? HOUR_MS : 24 * HOUR_MS
  for (let at = Date.parse(from); at < Date.parse(to) + 24 * HOUR_MS; at += each)
    places.push(
      new Date(at)
        .toISOString()
        .slice(0, step === 'hour' ? 13 : 10)
        .replace('T', ' '),
    )
  return places
}

function formatLabel(at: string, { from, to, step }: Pick<UsageSeries, 'from' | 'to' | 'step'>): string {
  if (step === 'month') return at
  const day = at.slice(5, 10)
  if (step === 'hour') return from === to ? `${at.slice(11)}:00` : `${day} ${at.slice(11)}:00`
  return from.slice(0, 4) === to.slice(0, 4) ? day : at
}

export const METRICS = ['cost', 'calls', 'tokens'] as const
export type Metric = (typeof METRICS)[number]
type Sums = Pick<UsageSeries['totals'], 'consumeAmount' | 'callNum' | 'totalTokens'>

/** Value of a metric: dollars, calls or tokens, as decimal text. */
export const getMetricValue = (sums: Sums, metric: Metric): string =>
  metric === 'cost' ? sums.consumeAmount : String(metric === 'calls' ? sums.callNum : sums.totalTokens)

/** Exact sum of a metric's values. */
export const getMetricReducer = (metric: Metric) =>
  metric === 'cost' ? sumUsd : (values: readonly string[]) => String(values.reduce((all, one) => all + Number(one), 0))

/** Builds the bars. The hour, day or month that contains `now` (an ISO text in Shanghai's time) is marked as incomplete. */
export function buildSeriesBars(series: UsageSeries, metric: Metric, { now, today }: { readonly now: string; readonly today: string }): Bar[] {
  const bars = new Map(listChartPoints(series).map((at) => [at, {} as Record<string, string>]))
  for (const point of series.points) {
    const values = bars.get(point.at)
    if (values) values[toGroupKey(point.name)] = getMetricValue(point, metric)
  }
  return [...bars].map(([at, values]) => {
    const isOpen = now.startsWith(at)
    return { key: at, label: formatLabel(at, series), tick: isOpen && series.step === 'day' ? today : formatTick(at, series), isOpen, values }
  })
}

const formatTick = (at: string, series: Pick<UsageSeries, 'from' | 'to' | 'step'>) => (series.step === 'hour' ? `${at.slice(11)}:00` : formatLabel(at, series))

/** Days that a bar covers. */
export function getBarDays(key: string, { from, to }: Pick<UsageSeries, 'from' | 'to'>): ShanghaiDayRange {
  if (key.length >= 10) return { from: key.slice(0, 10), to: key.slice(0, 10) }
  const [year, month] = key.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return { from: `${key}-01` < from ? from : `${key}-01`, to: last > to ? to : last }
}

/** Hues of keys; 1 to 4 belong to the vendors. */
const KEY_COLORS = [5, 6, 7, 8, 5, 6, 7] as const

/** Legend of the seven most expensive groups, with the rest as one. Models have lighter shades of their vendor's hue. */
export function buildLegend(series: UsageSeries, group: 'vendor' | 'model' | 'key', other: string): ChartSeries[] {
  const shades = new Map<number, number>()
  const named = series.groups.slice(0, MAX_NAMED).map((item, index): ChartSeries => {
    const color = group === 'key' ? KEY_COLORS[index]! : getVendorColor(item.vendor)
    const shade = shades.get(color) ?? 0
    shades.set(color, shade + 1)
    return {
      key: toGroupKey(item.name),
      label: group === 'vendor' ? (findShownVendor(item.vendor)?.label ?? other) : item.label || item.name || '–',
      color,
      shade,
    }
  })
  return series.points.some((point) => point.name === null) ? [...named, { key: REST_KEY, label: other, color: 8, shade: 3 }] : named
}

/** Sums of a group in the legend; the rest is the total less the named groups. */
export function getGroupSums(series: UsageSeries, key: string, named = MAX_NAMED): UsageSeries['totals'] {
  const own = series.groups.find((group) => toGroupKey(group.name) === key)
  if (own) return own
  const listed = series.groups.slice(0, named)
  const { totals } = series
  return {
    callNum: totals.callNum - listed.reduce((all, one) => all + one.callNum, 0),
    failNum: totals.failNum - listed.reduce((all, one) => all + one.failNum, 0),
    totalTokens: totals.totalTokens - listed.reduce((all, one) => all + one.totalTokens, 0),
    consumeAmount: formatUsd(subtractNano(parseUsd(totals.consumeAmount), parseUsd(sumUsd(listed.map((one) => one.consumeAmount))))),
  }
}
