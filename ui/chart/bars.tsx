import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { computeChartFrame, CHART_CARD_WIDTH, CHART_HEAD, type ChartFrame } from './frame.ts'
import { type Bar, type Series, SERIES_FILLS, getShade, SERIES_STROKES } from './series.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from '../texts.ts'
import { pickNamedBars } from './scale.ts'
import { stack } from 'd3-shape'
import { getFillClass } from '../badge.tsx'

/** The colour of a series wherever it is named: in the legend, the tooltip and the table below. */
export function Swatch({ of, className = 'size-2.5' }: { readonly of: Pick<Series, 'color' | 'shade'>; readonly className?: string }) {
  return <span className={`inline-block shrink-0 rounded-[2px] ${getFillClass(of.color)} ${className}`} style={{ opacity: getShade(of) }} aria-hidden="true" />
}

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
function BarMarks({ frame, bars, sumOf, mean, names }: BarMarksProps) {
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

interface BarCardProps {
  readonly bar: Bar
  readonly left: number
  readonly series: readonly Series[]
  readonly format: (value: string) => string
  readonly sum: (values: readonly string[]) => string
  readonly pickText: string | undefined
}

/** Tooltip with the parts of the hovered bar. */
function BarCard({ bar, left, series, format, sum, pickText }: BarCardProps) {
  const t = useTexts(uiTexts)
  return (
    <div
      className="absolute top-5 z-20 rounded-card border border-line bg-surface px-3.5 py-2.5 text-13 shadow-dialog"
      style={{ width: CHART_CARD_WIDTH, left }}
    >
      <p className="flex justify-between gap-3 font-semibold">
        <span>{bar.label}</span>
        <span className="num">{format(sum(series.map((item) => bar.values[item.key] ?? '0')))}</span>
      </p>
      <ul className="mt-1 grid gap-0.5">
        {series
          .filter((item) => Number(bar.values[item.key] ?? 0) > 0)
          .toReversed()
          .map((item) => (
            <li key={item.key} className="flex items-center justify-between gap-3 text-12 text-fg-2">
              <span className="inline-flex min-w-0 items-center gap-2">
                <Swatch of={item} className="size-2" />
                <span className="truncate">{item.label}</span>
              </span>
              <span className="num">{format(bar.values[item.key]!)}</span>
            </li>
          ))}
      </ul>
      {pickText ? (
        <p className="mt-1.5 text-12 text-brand-text">
          {pickText} <span className="mobile:hidden">{t('enterKey')}</span>
        </p>
      ) : null}
    </div>
  )
}

export interface BarsProps {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  /** Formats an exact value; `tick` formats a round one at the axis. */
  readonly format: (value: string) => string
  readonly tick: (value: number) => string
  readonly sum: (values: readonly string[]) => string
  /** True for whole numbers, such as calls and tokens. */
  readonly isWhole?: boolean
  /** A dashed line with a label. */
  readonly mean?: { readonly at: number; readonly text: string } | undefined
  /** Called on a press or Enter on a bar; `pickText` describes the action. */
  readonly onPick?: ((bar: Bar) => void) | undefined
  readonly pickText?: string | undefined
  readonly empty?: string | undefined
}

const HEIGHT = { desktop: 240, mobile: 132 }
const GUTTER = { desktop: 52, mobile: 44 }

/** Stacked bars with an axis of round steps. Arrow keys move by a bar, Home and End to the ends, Enter opens the bar's detail. */
export function Bars({ title, bars, series, format, tick, sum, isWhole = false, mean, onPick, pickText, empty }: BarsProps) {
  const mobile = useIsMobile()
  const id = useId()
  const [box, width] = useWidth()
  const [at, setAt] = useState<number>()
  const place = mobile ? 'mobile' : 'desktop'
  const frame = computeChartFrame({ bars, series, width, height: HEIGHT[place], gutter: GUTTER[place], isWhole })
  const shown = at === undefined ? undefined : bars[at]
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? bars.length) - 1, Home: 0, End: bars.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setAt(Math.min(bars.length - 1, Math.max(0, to)))
    } else if (event.key === 'Enter' && shown) onPick?.(shown)
  }
  return (
    <div className="relative" ref={box}>
      <svg
        viewBox={`0 0 ${Math.max(width, 1)} ${frame.height + 24}`}
        width="100%"
        height={frame.height + 24}
        role="img"
        aria-label={title}
        aria-describedby={`${id}-card`}
        tabIndex={0}
        className={`block outline-offset-4 ${onPick ? 'cursor-pointer' : ''}`}
        onPointerLeave={() => setAt(undefined)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt((old) => old ?? bars.length - 1)}
        onBlur={() => setAt(undefined)}
        onKeyDown={onKey}
      >
        <BarStacks id={id} frame={frame} bars={bars} series={series} tick={tick} at={at} />
        <BarMarks
          frame={frame}
          bars={bars}
          sumOf={(bar) => format(sum(series.map((item) => bar.values[item.key] ?? '0')))}
          mean={mean}
          names={mobile ? 5 : 10}
        />
        {bars.map((bar, day) => (
          <rect
            key={bar.key}
            x={frame.leftOf(day)}
            width={frame.step}
            y="0"
            height={frame.height}
            fill="transparent"
            onPointerEnter={() => setAt(day)}
            onClick={() => onPick?.(bar)}
          />
        ))}
      </svg>
      {empty ? <p className="pointer-events-none absolute inset-x-0 top-[45%] text-center text-14 text-fg-3">{empty}</p> : null}
      <div id={`${id}-card`} role="status" className={shown ? 'pointer-events-none' : 'sr-only'}>
        {shown && at !== undefined ? (
          <BarCard bar={shown} left={frame.cardAt(at)} series={series} format={format} sum={sum} pickText={onPick ? pickText : undefined} />
        ) : null}
      </div>
    </div>
  )
}

/** The available width, updated as it changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}

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
function BarStacks({ id, frame, bars, series, tick, at }: BarStacksProps) {
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
