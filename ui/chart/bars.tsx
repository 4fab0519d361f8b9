import { scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { uiTexts } from '../texts.ts'
import { axisTo, named, reachOf } from './scale.ts'
import { FILLS, shadeOf, STROKES, type Bar, type Series } from './series.ts'
import { Swatch } from './swatch.tsx'

export interface BarsProps {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  /** Writes an exact value; `tick` a round one at the axis. */
  readonly format: (value: string) => string
  readonly tick: (value: number) => string
  readonly sum: (values: readonly string[]) => string
  /** Calls and tokens have no halves. */
  readonly isWhole?: boolean
  /** A dashed line and its words. */
  readonly mean?: { readonly at: number; readonly text: string } | undefined
  /** A press or Enter on a bar; `pickText` says what it does. */
  readonly onPick?: ((bar: Bar) => void) | undefined
  readonly pickText?: string | undefined
  readonly empty?: string | undefined
}

const HEIGHT = { desktop: 240, mobile: 132 }
const GUTTER = { desktop: 52, mobile: 44 }
/** Above the axis: room for the figure of a cut bar. */
const HEAD = 16
const CARD = 232

/** Stacked bars with an axis of round steps. Arrows move by a bar, Home and End to the ends, Enter opens what is below one. */
export function Bars({ title, bars, series, format, tick, sum, isWhole = false, mean, onPick, pickText, empty }: BarsProps) {
  const t = useTexts(uiTexts)
  const mobile = useIsMobile()
  const id = useId()
  const [box, width] = useWidth()
  const [at, setAt] = useState<number>()
  const place = mobile ? 'mobile' : 'desktop'
  const [height, gutter] = [HEIGHT[place], GUTTER[place]]
  const heights = bars.map((bar) => Object.fromEntries(series.map((item) => [item.key, Number(bar.values[item.key] ?? 0)])))
  const totals = heights.map((bar) => Object.values(bar).reduce((all, one) => all + one, 0))
  const { top, ticks } = axisTo(reachOf(totals), isWhole)
  const y = scaleLinear().domain([0, top]).range([height, HEAD]).clamp(true)
  const room = Math.max(1, width - gutter)
  const step = room / Math.max(1, bars.length)
  const gap = Math.min(6, step * 0.18)
  const names = named(bars.length, mobile ? 5 : 10)
  const shown = at === undefined ? undefined : bars[at]
  const move = (to: number) => setAt(Math.min(bars.length - 1, Math.max(0, to)))
  const layers = stack<Record<string, number>>().keys(series.map((item) => item.key))(heights)
  return (
    <div className="relative" ref={box}>
      <svg
        viewBox={`0 0 ${Math.max(width, 1)} ${height + 24}`}
        width="100%"
        height={height + 24}
        role="img"
        aria-label={title}
        aria-describedby={`${id}-card`}
        tabIndex={0}
        className={`block outline-offset-4 ${onPick ? 'cursor-pointer' : ''}`}
        onPointerLeave={() => setAt(undefined)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt((old) => old ?? bars.length - 1)}
        onBlur={() => setAt(undefined)}
        onKeyDown={(event) => {
          const to = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? bars.length) - 1, Home: 0, End: bars.length - 1 }[event.key]
          if (to !== undefined) {
            event.preventDefault()
            move(to)
          } else if (event.key === 'Enter' && shown) onPick?.(shown)
        }}
      >
        <defs>
          {series.map((item) => (
            <pattern
              key={item.key}
              id={`${id}-${item.color}-${item.shade ?? 0}`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line x1="0" x2="0" y1="0" y2="6" strokeWidth="6" className={STROKES[item.color]} opacity={shadeOf(item)} />
            </pattern>
          ))}
        </defs>
        {ticks.map((value) => (
          <g key={value}>
            <line x1={gutter} x2={width} y1={y(value)} y2={y(value)} className={value === 0 ? 'stroke-control' : 'stroke-line'} strokeWidth="1" />
            <text x={gutter - 8} y={y(value) + 4} textAnchor="end" className="num fill-fg-3 text-12">
              {tick(value)}
            </text>
          </g>
        ))}
        {at === undefined ? null : <rect x={gutter + at * step} width={step} y={HEAD} height={height - HEAD} className="fill-sunken" />}
        {layers.map((layer, index) =>
          layer.map((point, day) => {
            const item = series[index]!
            const high = y(point[0]) - y(point[1])
            if (high <= 0) return null
            const isOpen = bars[day]?.isOpen === true
            return (
              <rect
                key={`${item.key} ${bars[day]?.key}`}
                x={gutter + day * step + gap / 2}
                width={Math.max(1, step - gap)}
                y={y(point[1])}
                height={Math.max(0.5, high - (point[0] > 0 && high > 2 ? 1 : 0))}
                className={`bar-segment ${isOpen ? '' : FILLS[item.color]}`}
                opacity={isOpen ? 1 : shadeOf(item)}
                {...(isOpen ? { fill: `url(#${id}-${item.color}-${item.shade ?? 0})` } : {})}
              />
            )
          }),
        )}
        {totals.map((total, day) =>
          total > top * (1 + 1e-9) ? (
            <Cut
              key={bars[day]!.key}
              x={gutter + day * step + gap / 2}
              width={step - gap}
              y={HEAD}
              text={format(sum(series.map((item) => bars[day]!.values[item.key] ?? '0')))}
              end={width}
            />
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
          names.has(day) ? (
            <text
              key={bar.key}
              x={Math.min(width - 2, gutter + (day + 0.5) * step)}
              y={height + 17}
              textAnchor={day === bars.length - 1 && step < 40 ? 'end' : 'middle'}
              className={bar.isOpen ? 'fill-fg text-12 font-semibold' : 'num fill-fg-3 text-12'}
            >
              {bar.tick ?? bar.label}
            </text>
          ) : null,
        )}
        {bars.map((bar, day) => (
          <rect
            key={bar.key}
            x={gutter + day * step}
            width={step}
            y="0"
            height={height}
            fill="transparent"
            onPointerEnter={() => setAt(day)}
            onClick={() => onPick?.(bar)}
          />
        ))}
      </svg>
      {empty ? <p className="pointer-events-none absolute inset-x-0 top-[45%] text-center text-14 text-fg-3">{empty}</p> : null}
      <div id={`${id}-card`} role="status" className={shown ? 'pointer-events-none' : 'sr-only'}>
        {shown && at !== undefined ? (
          <div
            className="absolute top-5 z-20 rounded-card border border-line bg-surface px-3.5 py-2.5 text-13 shadow-dialog"
            style={{
              width: CARD,
              left: Math.max(gutter, Math.min(width - CARD, gutter + (at + 0.5) * step + (at > bars.length / 2 ? -CARD - step / 2 : step / 2))),
            }}
          >
            <p className="flex justify-between gap-3 font-semibold">
              <span>{shown.label}</span>
              <span className="num">{format(sum(series.map((item) => shown.values[item.key] ?? '0')))}</span>
            </p>
            <ul className="mt-1 grid gap-0.5">
              {series
                .filter((item) => Number(shown.values[item.key] ?? 0) > 0)
                .toReversed()
                .map((item) => (
                  <li key={item.key} className="flex items-center justify-between gap-3 text-12 text-fg-2">
                    <span className="inline-flex min-w-0 items-center gap-2">
                      <Swatch of={item} className="size-2" />
                      <span className="truncate">{item.label}</span>
                    </span>
                    <span className="num">{format(shown.values[item.key]!)}</span>
                  </li>
                ))}
            </ul>
            {onPick && pickText ? (
              <p className="mt-1.5 text-12 text-brand-text">
                {pickText} <span className="mobile:hidden">{t('enterKey')}</span>
              </p>
            ) : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}

/** A bar that goes on above the axis: a tear, and its figure. */
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

/** The width that there is, followed as it changes. */
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
