import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Bar, Series as ChartSeries } from '#ui/bar-chart.tsx'
import type { usageContract } from '../contract-usage.ts'

export type Series = ReplyOf<(typeof usageContract)['usageSeries']>

const REST = 'rest'
const keyOf = (name: string | null) => (name === null ? REST : `n:${name}`)
const HOUR_MS = 3_600_000

/** Every hour, day or month of the range, those without use too. */
export function placesOf({ from, to, step }: Pick<Series, 'from' | 'to' | 'step'>): string[] {
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

function labelOf(at: string, { from, to, step }: Pick<Series, 'from' | 'to' | 'step'>): string {
  if (step === 'month') return at
  const day = at.slice(5, 10)
  if (step === 'hour') return from === to ? `${at.slice(11)}:00` : `${day} ${at.slice(11)}:00`
  return from.slice(0, 4) === to.slice(0, 4) ? day : at
}

export function barsOfSeries(series: Series): Bar[] {
  const bars = new Map(placesOf(series).map((at) => [at, {} as Record<string, string>]))
  for (const point of series.points) {
    const values = bars.get(point.at)
    if (values) values[keyOf(point.name)] = point.consumeAmount
  }
  return [...bars].map(([at, values]) => ({ label: labelOf(at, series), values }))
}

/** Colours 1 to 4 are the vendors' own: they come last, so that no model is taken for one. */
const COLORS = [5, 6, 7, 4, 3, 2, 1] as const

/** The dearest seven with their colours, the others together in the eighth. */
export function legendOf(series: Series, rest: string): ChartSeries[] {
  const named = series.groups.slice(0, 7).map((group, index) => ({ key: keyOf(group.name), label: group.label || group.name || '–', color: COLORS[index]! }))
  return series.points.some((point) => point.name === null) ? [...named, { key: REST, label: rest, color: 8 }] : named
}
