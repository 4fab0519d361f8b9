import { parseUsd, plus, usd } from '#platform/shared/money.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { BarChart, type Bar } from '#ui/bar-chart.tsx'
import type { usageContract } from '../contract-usage.ts'
import { gatewayTexts } from '../texts.ts'
import { costText, countText } from './figures.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'
import { isKnownVendor, vendorSeries } from './vendors.ts'

export type Summary = ReplyOf<(typeof usageContract)['usageSummary']>

/** Thirty days by vendor; days without use are there as well. */
export function SpendChart({ summary }: { readonly summary: Summary | undefined }) {
  const t = useTexts(gatewayTexts)
  if (!summary) return <SpendChartFrame />
  const used = new Set(summary.days.map((day) => day.vendor))
  return (
    <div className="relative">
      <BarChart
        title={t('chartTitle')}
        bars={barsOf(summary)}
        series={vendorSeries(t('otherVendor'), used)}
        format={costText}
        aside={t('chartAside', { amount: costText(summary.consumeAmount), calls: countText(summary.callNum) })}
      />
      {summary.days.length ? null : <p className="pointer-events-none absolute inset-x-6 top-1/2 text-center text-14 text-fg-3">{t('chartEmpty')}</p>}
    </div>
  )
}

export function barsOf(summary: Pick<Summary, 'days' | 'from' | 'to'>): Bar[] {
  const bars = new Map<string, Record<string, string>>()
  for (let at = Date.parse(summary.from); at <= Date.parse(summary.to); at += 86_400_000) bars.set(new Date(at).toISOString().slice(0, 10), {})
  for (const day of summary.days) {
    const values = bars.get(day.statDate)
    if (!values) continue
    const key = isKnownVendor(day.vendor) ? day.vendor : 'other'
    values[key] = usd(plus(parseUsd(values[key] ?? '0'), parseUsd(day.consumeAmount)))
  }
  return [...bars].map(([day, values]) => ({ label: day.slice(5), values }))
}
