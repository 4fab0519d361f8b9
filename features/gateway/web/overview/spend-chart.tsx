import { useNavigate } from '@tanstack/react-router'
import { formatCount } from '#platform/shared/show-money.ts'
import { parseUsd, addNano, formatUsd } from '#platform/shared/money.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { sumUsd, displayUsd } from '#platform/web/money.tsx'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { BarChart } from '#ui/chart/bar-chart.tsx'
import type { Bar } from '#ui/chart/series.ts'
import type { usageContract } from '../../contract-usage.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatAxisUsd, formatCallCost } from '../figures.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'
import { buildVendorSeries } from '../vendors/series.ts'
import { findShownVendor } from '../vendors/shown.ts'

export type UsageSummary = ReplyOf<(typeof usageContract)['usageSummary']>

/** Thirty days by vendor, including days without use. */
export function SpendChart({ summary }: { readonly summary: UsageSummary | undefined }) {
  const t = useTexts(gatewayTexts)
  const navigate = useNavigate()
  if (!summary) return <SpendChartFrame />
  const used = new Set(summary.days.map((day) => day.vendor))
  return (
    <BarChart
      title={t('chartTitle')}
      bars={toBars(summary, t('range_today'))}
      series={buildVendorSeries(t('otherVendor'), used)}
      format={formatCallCost}
      tick={formatAxisUsd}
      sum={sumUsd}
      onPick={(bar) => void navigate({ to: '/api', search: { tab: 'requests', range: 'own', from: bar.key, to: bar.key } })}
      pickText={t('pickDay')}
      empty={summary.days.length ? undefined : t('chartEmpty')}
      aside={t('chartAside', {
        amount: summary.consumeAmount === '0' ? displayUsd('0') : formatCallCost(summary.consumeAmount),
        calls: formatCount(summary.callNum),
      })}
    />
  )
}

function toBars(summary: Pick<UsageSummary, 'days' | 'from' | 'to'>, todayWord: string): Bar[] {
  const bars = new Map<string, Record<string, string>>()
  for (let at = Date.parse(summary.from); at <= Date.parse(summary.to); at += 86_400_000) bars.set(new Date(at).toISOString().slice(0, 10), {})
  for (const day of summary.days) {
    const values = bars.get(day.statDate)
    if (!values) continue
    const key = findShownVendor(day.vendor) ? day.vendor : 'other'
    values[key] = formatUsd(addNano(parseUsd(values[key] ?? '0'), parseUsd(day.consumeAmount)))
  }
  const today = toShanghaiDay(Date.now())
  return [...bars].map(([day, values]) => ({ key: day, label: day.slice(5), values, ...(day === today ? { isOpen: true, tick: todayWord } : {}) }))
}
