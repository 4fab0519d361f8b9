import { Check } from 'lucide-react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { Series as ChartSeries } from '#ui/chart/series.ts'
import { Swatch } from '#ui/chart/bars.tsx'
import { gatewayTexts } from '../../texts.ts'
import { getGroupSums, getMetricValue } from './usage-bars.ts'
import type { Metric, UsageSeries } from './usage-bars.ts'

interface LegendProps {
  readonly series: UsageSeries
  readonly legend: readonly ChartSeries[]
  readonly off: ReadonlySet<string>
  readonly metric: Metric
  readonly format: (value: string) => string
  /** Total of the visible series. */
  readonly total: string
  readonly onToggle: (key: string) => void
}

/** Toggles for the chart's series, each with its sum and share; the last line is their total. */
export function Legend({ series, legend, off, metric, format, total, onToggle }: LegendProps) {
  const t = useTexts(gatewayTexts)
  const whole = Number(getMetricValue(series.totals, metric))
  return (
    <div className="border-line text-13 desktop:border-l desktop:p-5 mobile:border-t mobile:px-4 mobile:py-3">
      <p className="num text-12 text-fg-3 mobile:hidden">{series.from === series.to ? series.from : `${series.from.slice(5)} – ${series.to.slice(5)}`}</p>
      <ul className="desktop:mt-2 desktop:divide-y desktop:divide-line">
        {legend.map((item) => {
          const sums = getGroupSums(series, item.key)
          const value = getMetricValue(sums, metric)
          const isOn = !off.has(item.key)
          return (
            <li key={item.key}>
              <button
                type="button"
                role="switch"
                aria-checked={isOn}
                onClick={() => onToggle(item.key)}
                className={`grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 rounded-tag py-2 text-left mobile:min-h-11 mobile:py-1 ${isOn ? '' : 'text-fg-3'}`}
              >
                <span className="relative inline-flex size-4 items-center justify-center" aria-hidden="true">
                  {isOn ? <Swatch of={item} className="size-4 rounded-[4px]" /> : <span className="size-4 rounded-[4px] border border-control" />}
                  {isOn ? <Check size={11} strokeWidth={3} className="absolute text-surface" /> : null}
                </span>
                <span className={`truncate font-medium ${isOn ? '' : 'line-through'}`}>{item.label}</span>
                <span className="num font-medium">{format(value)}</span>
                <span className="num col-start-2 text-12 text-fg-3 mobile:hidden">{t('callsCount', { count: formatCount(sums.callNum) })}</span>
                <span className="num text-right text-12 text-fg-3 mobile:hidden">{formatSharePercent(Number(value), whole)}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 flex justify-between border-t border-dashed border-control pt-2.5 text-14 font-semibold">
        <span>{t(off.size ? 'totalChosen' : 'total')}</span>
        <span className="num">{format(total)}</span>
      </p>
    </div>
  )
}

/** Formats a share as 59.6 %; a non-zero share below a tenth of a percent is shown as such. */
export function formatSharePercent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (part / whole) * 100
  return percent > 0 && percent < 0.1 ? '<0.1%' : `${percent.toFixed(1)}%`
}
