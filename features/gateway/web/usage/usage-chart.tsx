import { useState } from 'react'
import { parseUsd, computePartShare, formatUsd } from '#platform/shared/money.ts'
import { formatCount, countCommonPlaces } from '#platform/shared/show-money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd, displayShortUsd } from '#platform/web/money.tsx'
import { Bars } from '#ui/chart/bars.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'
import { formatAxisCount, formatAxisUsd } from '../figures.ts'
import { Legend } from './legend.tsx'
import { buildSeriesBars, getBarDays, buildLegend, getMetricReducer, getGroupSums, getMetricValue } from './usage-bars.ts'
import type { Metric, UsageSeries } from './usage-bars.ts'
import type { ShanghaiDayRange } from '../use-range.ts'

const CHART_TEXT = { month: 'chart_month', hour: 'chart_hour', day: 'chart_day' } as const

interface UsageChartProps {
  readonly series: UsageSeries | undefined
  readonly group: 'vendor' | 'model' | 'key'
  readonly metric: Metric
  /** Opens the requests of these days. */
  readonly onDays: (days: ShanghaiDayRange) => void
}

/** A range by hour, day or month. The legend is its switches and adds up beside it. */
export function UsageChart({ series, group, metric, onDays }: UsageChartProps) {
  const t = useTexts(gatewayTexts)
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  if (!series)
    return (
      <div className="card p-5 mobile:p-4">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="mt-4 h-[264px] w-full mobile:h-[156px]" />
      </div>
    )
  const legend = buildLegend(series, group, t('otherVendor'))
  const shown = legend.filter((item) => !off.has(item.key))
  const add = getMetricReducer(metric)
  const places = countCommonPlaces(
    legend.map((item) => getGroupSums(series, item.key).consumeAmount),
    4,
  )
  const format = metric === 'cost' ? (value: string) => displayUsd(value, places) : (value: string) => formatCount(Number(value))
  const total = add(shown.map((item) => getMetricValue(getGroupSums(series, item.key), metric)))
  const bars = buildSeriesBars(series, metric, toShanghaiTime(new Date()), t('range_today'))
  const toggle = (key: string) =>
    setOff((old) => {
      const next = new Set(old)
      if (!next.delete(key) && next.size < legend.length - 1) next.add(key)
      return next
    })
  return (
    <div className="card grid desktop:grid-cols-[minmax(0,1fr)_248px]">
      <div className="min-w-0 p-5 mobile:p-4">
        <p className="mb-1 flex flex-wrap items-baseline gap-x-3">
          <span className="num text-28 font-semibold mobile:text-20">{metric === 'cost' ? displayShortUsd(total, 'spent', 4) : format(total)}</span>
          <span className="text-13 text-fg-2">{t('chartSum', { calls: formatCount(series.totals.callNum) })}</span>
        </p>
        <Bars
          title={t(CHART_TEXT[series.step])}
          bars={bars}
          series={shown}
          format={format}
          tick={metric === 'cost' ? formatAxisUsd : formatAxisCount}
          sum={add}
          isWhole={metric !== 'cost'}
          mean={buildMeanLine(series, total, metric, format, t)}
          onPick={(bar) => onDays(getBarDays(bar.key, series))}
          pickText={t('pickDay')}
          empty={series.totals.callNum ? undefined : t('usageNone')}
        />
      </div>
      {legend.length ? <Legend series={series} legend={legend} off={off} metric={metric} format={format} total={total} onToggle={toggle} /> : null}
    </div>
  )
}

/** Drawn over days, from four of them on. */
function buildMeanLine(
  series: UsageSeries,
  total: string,
  metric: Metric,
  format: (value: string) => string,
  t: (key: 'dailyMean', values: { amount: string }) => string,
) {
  const days = (Date.parse(series.to) - Date.parse(series.from)) / 86_400_000 + 1
  if (series.step !== 'day' || days < 4 || series.totals.callNum === 0) return undefined
  const each = metric === 'cost' ? formatUsd(computePartShare(parseUsd(total), 1n, BigInt(days))) : String(Math.round(Number(total) / days))
  return { at: Number(each), text: t('dailyMean', { amount: metric === 'cost' ? displayShortUsd(each, 'spent') : format(each) }) }
}
