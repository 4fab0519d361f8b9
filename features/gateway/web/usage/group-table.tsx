import type { ReactNode } from 'react'
import { parseUsd, computePartShare, formatUsd } from '#platform/shared/money.ts'
import { formatCount, countCommonPlaces } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { Usd, displayShortUsd } from '#platform/web/money.tsx'
import { Swatch } from '#ui/chart/bars.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { getVendorColor } from '../vendors/shown.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatSumTokens } from '../figures.ts'
import { formatSharePercent } from './legend.tsx'
import { buildLegend, getGroupSums, getMetricValue } from './usage-bars.ts'
import type { UsageSeries } from './usage-bars.ts'

interface Row {
  readonly key: string
  readonly label: string
  readonly color: Parameters<typeof Swatch>[0]['of']
  readonly sums: UsageSeries['totals']
}

interface GroupTableProps {
  readonly series: UsageSeries | undefined
  readonly group: 'model' | 'key'
  /** Grouping of the chart above. If it is by vendor, each model has its vendor's hue. */
  readonly drawnBy: 'vendor' | 'model' | 'key'
  readonly instead?: ReactNode
}

const ZERO_SUMS = { callNum: 0, totalTokens: 0, consumeAmount: '0' }

/** The chart's figures by model or key: the same sum, in the same colours. */
export function GroupTable({ series, group, drawnBy, instead }: GroupTableProps) {
  const t = useTexts(gatewayTexts)
  const rows: readonly Row[] = series ? buildRows(series, group, { drawnBy, other: t('otherVendor') }) : []
  const whole = Number(getMetricValue(series?.totals ?? ZERO_SUMS, 'cost'))
  const places = countCommonPlaces(
    rows.map((row) => row.sums.consumeAmount),
    4,
  )
  const number = (text: string) => <span className="num">{text}</span>
  const columns: Column<Row>[] = [
    {
      key: 'name',
      header: t(group === 'key' ? 'keyFilter' : 'colModelName'),
      mobile: 'title',
      cell: (row) => (
        <span className="inline-flex items-center gap-2.5 [overflow-wrap:anywhere]">
          <Swatch of={row.color} className="size-2 rounded-full" />
          {row.label}
        </span>
      ),
    },
    {
      key: 'calls',
      header: t('colCalls'),
      align: 'right',
      cell: (row) => (
        <span className="num">
          {formatCount(row.sums.callNum)}
          {row.sums.failNum ? <span className="block text-12 text-fg-3">{t('failedCount', { count: formatCount(row.sums.failNum) })}</span> : null}
        </span>
      ),
    },
    { key: 'tokens', header: t('colTokens'), align: 'right', cell: (row) => number(formatSumTokens(row.sums)) },
    { key: 'each', header: t('colEach'), align: 'right', cell: (row) => number(formatCostPerCall(row.sums)) },
    { key: 'share', header: t('colShare'), align: 'right', cell: (row) => number(formatSharePercent(Number(getMetricValue(row.sums, 'cost')), whole)) },
    {
      key: 'cost',
      header: t('colCost'),
      align: 'right',
      mobile: 'primary',
      cell: (row) => <Usd value={row.sums.consumeAmount} places={places} className="font-semibold" />,
    },
  ]
  const totals = series && {
    name: t('total'),
    calls: number(formatCount(series.totals.callNum)),
    tokens: number(formatSumTokens(series.totals)),
    each: number(formatCostPerCall(series.totals)),
    share: number(whole ? '100%' : '–'),
    cost: <Usd value={series.totals.consumeAmount} places={places} figure={FIGURES['usage.series.total']} />,
  }
  return (
    <DataTable
      caption={t('tab_billingDetails')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      {...(totals ? { totals } : {})}
      instead={series ? instead : <SkeletonRows rows={5} />}
    />
  )
}

const formatCostPerCall = ({ consumeAmount, callNum }: UsageSeries['totals']) =>
  callNum === 0 ? '–' : displayShortUsd(formatUsd(computePartShare(parseUsd(consumeAmount), 1n, BigInt(callNum))), 'spent', 4)

/** Builds rows with the colours of the legend. A group without one has its vendor's lightest shade, and unlisted groups form one row. */
function buildRows(
  series: UsageSeries,
  group: 'model' | 'key',
  { drawnBy, other }: { readonly drawnBy: GroupTableProps['drawnBy']; readonly other: string },
): Row[] {
  const colors = new Map(buildLegend(series, group, other).map((item) => [item.key, item]))
  const grey = { color: 8, shade: 3 } as const
  const colorOf = (item: UsageSeries['groups'][number], key: string) =>
    drawnBy === 'vendor'
      ? { color: getVendorColor(item.vendor) }
      : (colors.get(key) ?? (group === 'key' ? grey : { color: getVendorColor(item.vendor), shade: 3 }))
  const rows = series.groups.map((item): Row => {
    const key = `n:${item.name}`
    return { key, label: item.label || item.name || '–', color: colorOf(item, key), sums: item }
  })
  const rest = getGroupSums(series, 'rest', series.groups.length)
  return rest.callNum > 0 ? [...rows, { key: 'rest', label: other, color: grey, sums: rest }] : rows
}
