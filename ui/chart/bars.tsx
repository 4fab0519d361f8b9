import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { BarCard } from './bar-card.tsx'
import { BarMarks } from './bar-marks.tsx'
import { BarStacks } from './bar-stacks.tsx'
import { computeChartFrame } from './frame.ts'
import type { Bar, Series } from './series.ts'

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

/** Stacked bars with an axis of round steps. Arrows move by a bar, Home and End to the ends, Enter opens what is below one. */
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
