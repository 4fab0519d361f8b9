import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { BarChart } from '#ui/bar-chart.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { costText, countText } from './figures.ts'
import { barsOfSeries, legendOf } from './usage-bars.ts'
import type { Series } from './usage-bars.ts'

/** What was spent in the range, by hour, day or month, in the colours of the dearest models or keys. */
export function UsageChart({ series }: { readonly series: Series | undefined }) {
  const t = useTexts(gatewayTexts)
  if (!series)
    return (
      <div className="card p-5">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mt-6 h-[180px] w-full" />
      </div>
    )
  const { totals } = series
  const aside = t('chartAside', { amount: usdDisplay(totals.consumeAmount, 4), calls: countText(totals.callNum) })
  return (
    <div className="relative">
      <BarChart
        title={t(`chart_${series.step}`)}
        bars={barsOfSeries(series)}
        series={legendOf(series, t('otherVendor'))}
        format={costText}
        aside={totals.failNum ? `${aside}${t('chartFailed', { count: countText(totals.failNum) })}` : aside}
      />
      {series.points.length ? null : <p className="pointer-events-none absolute inset-x-6 top-1/2 text-center text-14 text-fg-3">{t('usageEmpty')}</p>}
    </div>
  )
}
