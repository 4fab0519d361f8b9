import { scaleLinear } from 'd3-scale'
import { buildAxis, computeAxisReach } from './scale.ts'
import type { Bar, Series } from './series.ts'

/** Space above the axis for the figure of a cut bar. */
export const CHART_HEAD = 16
export const CHART_CARD_WIDTH = 232

/** Geometry of a bar chart. */
export interface ChartFrame {
  readonly width: number
  readonly height: number
  readonly gutter: number
  /** Heights of each bar by series, and in total. */
  readonly heights: readonly Record<string, number>[]
  readonly totals: readonly number[]
  readonly top: number
  readonly ticks: readonly number[]
  readonly y: (value: number) => number
  /** Distance from one bar to the next, and the gap between two. */
  readonly step: number
  readonly gap: number
  readonly leftOf: (day: number) => number
  /** Left edge of the tooltip beside a bar. */
  readonly cardAt: (day: number) => number
}

interface ChartFrameInput {
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  readonly width: number
  readonly height: number
  readonly gutter: number
  readonly isWhole: boolean
}

export function computeChartFrame({ bars, series, width, height, gutter, isWhole }: ChartFrameInput): ChartFrame {
  const heights = bars.map((bar) => Object.fromEntries(series.map((item) => [item.key, Number(bar.values[item.key] ?? 0)])))
  const totals = heights.map((bar) => Object.values(bar).reduce((all, one) => all + one, 0))
  const { top, ticks } = buildAxis(computeAxisReach(totals), isWhole)
  const step = Math.max(1, width - gutter) / Math.max(1, bars.length)
  const beside = (day: number) => (day > bars.length / 2 ? -CHART_CARD_WIDTH - step / 2 : step / 2)
  return {
    width,
    height,
    gutter,
    heights,
    totals,
    top,
    ticks,
    y: scaleLinear().domain([0, top]).range([height, CHART_HEAD]).clamp(true),
    step,
    gap: Math.min(6, step * 0.18),
    leftOf: (day) => gutter + day * step,
    cardAt: (day) => Math.max(gutter, Math.min(width - CHART_CARD_WIDTH, gutter + (day + 0.5) * step + beside(day))),
  }
}
