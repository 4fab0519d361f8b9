import { stack } from 'd3-shape'
import { CHART_HEAD } from './frame.ts'
import type { ChartFrame } from './frame.ts'
import { SERIES_FILLS, getShade, SERIES_STROKES, type Bar, type Series } from './series.ts'

interface BarStacksProps {
  readonly id: string
  readonly frame: ChartFrame
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  readonly tick: (value: number) => string
  /** The bar that is hovered or focused. */
  readonly at: number | undefined
}

/** The axis, and the bars by series; a bar whose period is not over is hatched. */
export function BarStacks({ id, frame, bars, series, tick, at }: BarStacksProps) {
  const { width, height, gutter, y, step, gap, leftOf } = frame
  const layers = stack<Record<string, number>>().keys(series.map((item) => item.key))(frame.heights)
  const hatchOf = (item: Series) => `${id}-${item.color}-${item.shade ?? 0}`
  return (
    <>
      <defs>
        {series.map((item) => (
          <pattern key={item.key} id={hatchOf(item)} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" x2="0" y1="0" y2="6" strokeWidth="6" className={SERIES_STROKES[item.color]} opacity={getShade(item)} />
          </pattern>
        ))}
      </defs>
      {frame.ticks.map((value) => (
        <g key={value}>
          <line x1={gutter} x2={width} y1={y(value)} y2={y(value)} className={value === 0 ? 'stroke-control' : 'stroke-line'} strokeWidth="1" />
          <text x={gutter - 8} y={y(value) + 4} textAnchor="end" className="num fill-fg-3 text-12">
            {tick(value)}
          </text>
        </g>
      ))}
      {at === undefined ? null : <rect x={leftOf(at)} width={step} y={CHART_HEAD} height={height - CHART_HEAD} className="fill-sunken" />}
      {layers.map((layer, index) =>
        layer.map((point, day) => {
          const item = series[index]!
          const high = y(point[0]) - y(point[1])
          if (high <= 0) return null
          const isOpen = bars[day]?.isOpen === true
          return (
            <rect
              key={`${item.key} ${bars[day]?.key}`}
              x={leftOf(day) + gap / 2}
              width={Math.max(1, step - gap)}
              y={y(point[1])}
              height={Math.max(0.5, high - (point[0] > 0 && high > 2 ? 1 : 0))}
              className={`bar-segment ${isOpen ? '' : SERIES_FILLS[item.color]}`}
              opacity={isOpen ? 1 : getShade(item)}
              {...(isOpen ? { fill: `url(#${hatchOf(item)})` } : {})}
            />
          )
        }),
      )}
    </>
  )
}
