import { CHART_HEAD } from './frame.ts'
import type { ChartFrame } from './frame.ts'
import { pickNamedBars } from './scale.ts'
import type { Bar } from './series.ts'

interface BarMarksProps {
  readonly frame: ChartFrame
  readonly bars: readonly Bar[]
  /** Formats a bar's total. */
  readonly sumOf: (bar: Bar) => string
  readonly mean: { readonly at: number; readonly text: string } | undefined
  /** Number of bars with a label below. */
  readonly names: number
}

/** Labels inside the chart: totals of cut bars, the mean, and the bars' names. */
export function BarMarks({ frame, bars, sumOf, mean, names }: BarMarksProps) {
  const { width, height, gutter, totals, top, y, step, gap, leftOf } = frame
  const shown = pickNamedBars(bars.length, names)
  return (
    <>
      {totals.map((total, day) =>
        total > top * (1 + 1e-9) ? (
          <Cut key={bars[day]!.key} x={leftOf(day) + gap / 2} width={step - gap} y={CHART_HEAD} text={sumOf(bars[day]!)} end={width} />
        ) : null,
      )}
      {mean && mean.at > 0 && mean.at <= top ? (
        <g>
          <line x1={gutter} x2={width} y1={y(mean.at)} y2={y(mean.at)} className="stroke-fg-2" strokeWidth="1" strokeDasharray="3 3" />
          <text x={gutter + 6} y={y(mean.at) - 5} className="fill-fg text-12" stroke="var(--color-surface)" strokeWidth="4" paintOrder="stroke">
            {mean.text}
          </text>
        </g>
      ) : null}
      {bars.map((bar, day) =>
        shown.has(day) ? (
          <text
            key={bar.key}
            x={Math.min(width - 2, leftOf(day + (day === bars.length - 1 && step < 40 ? 1 : 0.5)))}
            y={height + 17}
            textAnchor={day === bars.length - 1 && step < 40 ? 'end' : 'middle'}
            className={bar.isOpen ? 'fill-fg text-12 font-semibold' : 'num fill-fg-3 text-12'}
          >
            {bar.tick ?? bar.label}
          </text>
        ) : null,
      )}
    </>
  )
}

/** Break mark and total of a bar that exceeds the axis. */
function Cut({ x, width, y, text, end }: { readonly x: number; readonly width: number; readonly y: number; readonly text: string; readonly end: number }) {
  const third = width / 4
  const isLast = x + 60 > end
  return (
    <g>
      <path
        d={`M${x - 1} ${y + 13} l${third} -5 l${third} 5 l${third} -5 l${third + 2} 5 v4 l${-third - 2} -5 l${-third} 5 l${-third} -5 l${-third} 5 z`}
        className="fill-surface"
      />
      <text x={isLast ? end : x + width / 2} y={y - 4} textAnchor={isLast ? 'end' : 'middle'} className="num fill-fg text-12 font-semibold">
        {text}
      </text>
    </g>
  )
}
