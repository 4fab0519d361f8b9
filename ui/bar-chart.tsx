import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { BarTable } from './bar-table.tsx'
import { Segmented } from './segmented.tsx'
import { uiTexts } from './texts.ts'

export interface Series {
  readonly key: string
  readonly label: string
  readonly color: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
}
/** Values are plain decimal text (money), by series key; a missing one is zero. */
export interface Bar {
  readonly label: string
  readonly values: Readonly<Record<string, string>>
}

export interface BarChartProps {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  /** Writes an exact value: (value) => usdDisplay(value, 4). */
  readonly format: (value: string) => string
  readonly aside?: string
}

const fills = ['', 'fill-chart-1', 'fill-chart-2', 'fill-chart-3', 'fill-chart-4', 'fill-chart-5', 'fill-chart-6', 'fill-chart-7', 'fill-chart-8']
const dots = ['', 'bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5', 'bg-chart-6', 'bg-chart-7', 'bg-chart-8']
const WIDTH = 720
const HEIGHT = 180

/** Stacked bars; the same figures as a table one press away. Pixels are numbers, amounts stay text. */
export function BarChart({ title, bars, series, format, aside }: BarChartProps) {
  const t = useTexts(uiTexts)
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <div className="card p-5 mobile:p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h2 className="text-16 font-semibold">{title}</h2>
          {aside ? <p className="num text-13 text-fg-2">{aside}</p> : null}
        </div>
        <Segmented
          label={title}
          value={view}
          onChange={setView}
          items={[
            { value: 'chart', label: t('chartView') },
            { value: 'table', label: t('tableView') },
          ]}
        />
      </div>
      {view === 'chart' ? (
        <Bars title={title} bars={bars} series={series} format={format} />
      ) : (
        <BarTable title={title} bars={bars} series={series} format={format} />
      )}
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-fg-2">
        {series.map((item) => (
          <li key={item.key} className="inline-flex items-center gap-2">
            <span className={`size-2.5 rounded-[2px] ${dots[item.color]}`} aria-hidden="true" />
            {item.label}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Bars({ title, bars, series, format }: Omit<BarChartProps, 'aside'>) {
  const [at, setAt] = useState<number>()
  const heights = bars.map((bar) => Object.fromEntries(series.map((item) => [item.key, Number(bar.values[item.key] ?? 0)])))
  const layers = stack<Record<string, number>>().keys(series.map((item) => item.key))(heights)
  const top = Math.max(...layers.flatMap((layer) => layer.map((point) => point[1])), 0)
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([0, WIDTH])
    .paddingInner(0.16)
  const y = scaleLinear()
    .domain([0, top || 1])
    .range([HEIGHT, 8])
  const shown = at === undefined ? undefined : bars[at]
  const move = (step: number) => setAt((old) => Math.min(bars.length - 1, Math.max(0, (old ?? (step > 0 ? -1 : bars.length)) + step)))
  return (
    <>
      <p className="num mt-2 flex min-h-5 flex-wrap gap-x-4 text-12 text-fg-2" role="status">
        {shown ? (
          <>
            <span className="text-fg">{shown.label}</span>
            {series
              .filter((item) => shown.values[item.key] !== undefined)
              .map((item) => (
                <span key={item.key}>
                  {item.label} {format(shown.values[item.key] ?? '0')}
                </span>
              ))}
          </>
        ) : null}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={title}
        tabIndex={0}
        className="mt-1 block h-[180px] w-full outline-offset-4 mobile:h-[140px]"
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') move(1)
          else if (event.key === 'ArrowLeft') move(-1)
        }}
      >
        {layers.map((layer, index) =>
          layer.map((point, day) => (
            <rect
              key={`${layer.key} ${bars[day]?.label}`}
              x={x(day)}
              width={x.bandwidth()}
              y={y(point[1])}
              height={Math.max(0, y(point[0]) - y(point[1]) - (index ? 1 : 0))}
              className={`bar-segment ${fills[series[index]?.color ?? 8]} ${at === undefined || at === day ? '' : 'opacity-40'}`}
            />
          )),
        )}
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-line" strokeWidth="2" />
        {bars.map((bar, day) => (
          <rect key={bar.label} x={x(day)} width={x.step()} y="0" height={HEIGHT} fill="transparent" onPointerEnter={() => setAt(day)} />
        ))}
      </svg>
      <div className="num mt-1 flex justify-between text-12 text-fg-3">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </>
  )
}
