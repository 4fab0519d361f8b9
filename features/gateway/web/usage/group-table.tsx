import type { ReactNode } from 'react'
import { parseUsd, shareOf, usd } from '#platform/shared/money.ts'
import { countText, commonPlaces } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { Usd, usdShort } from '#platform/web/money.tsx'
import { Swatch } from '#ui/chart/swatch.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { vendorColor } from '../vendors/shown.ts'
import { gatewayTexts } from '../../texts.ts'
import { tokensText } from '../figures.ts'
import { shareText } from './legend.tsx'
import { legendOf, sumsOf, valueOf } from './usage-bars.ts'
import type { Series } from './usage-bars.ts'

interface Row {
  readonly key: string
  readonly label: string
  readonly color: Parameters<typeof Swatch>[0]['of']
  readonly sums: Series['totals']
}

interface GroupTableProps {
  readonly series: Series | undefined
  readonly group: 'model' | 'key'
  /** Grouping of the chart above: by vendor, each model has its vendor's hue. */
  readonly drawnBy: 'vendor' | 'model' | 'key'
  readonly instead?: ReactNode
}

const NOTHING = { callNum: 0, totalTokens: 0, consumeAmount: '0' }

/** The chart's figures by model or key: the same sum, in the same colours. */
export function GroupTable({ series, group, drawnBy, instead }: GroupTableProps) {
  const t = useTexts(gatewayTexts)
  const rows: readonly Row[] = series ? rowsOf(series, group, drawnBy, t('otherVendor')) : []
  const whole = Number(valueOf(series?.totals ?? NOTHING, 'cost'))
  const places = commonPlaces(
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
          {countText(row.sums.callNum)}
          {row.sums.failNum ? <span className="block text-12 text-fg-3">{t('failedCount', { count: countText(row.sums.failNum) })}</span> : null}
        </span>
      ),
    },
    { key: 'tokens', header: t('colTokens'), align: 'right', cell: (row) => number(tokensText(row.sums)) },
    { key: 'each', header: t('colEach'), align: 'right', cell: (row) => number(eachText(row.sums)) },
    { key: 'share', header: t('colShare'), align: 'right', cell: (row) => number(shareText(Number(valueOf(row.sums, 'cost')), whole)) },
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
    calls: number(countText(series.totals.callNum)),
    tokens: number(tokensText(series.totals)),
    each: number(eachText(series.totals)),
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

const eachText = ({ consumeAmount, callNum }: Series['totals']) =>
  callNum === 0 ? '–' : usdShort(usd(shareOf(parseUsd(consumeAmount), 1n, BigInt(callNum))), 'spent', 4)

/** The colours of the legend; what has none there wears the lightest of its vendor, and what is not listed is one line. */
function rowsOf(series: Series, group: 'model' | 'key', drawnBy: GroupTableProps['drawnBy'], other: string): Row[] {
  const colors = new Map(legendOf(series, group, other).map((item) => [item.key, item]))
  const grey = { color: 8, shade: 3 } as const
  const colorOf = (item: Series['groups'][number], key: string) =>
    drawnBy === 'vendor' ? { color: vendorColor(item.vendor) } : (colors.get(key) ?? (group === 'key' ? grey : { color: vendorColor(item.vendor), shade: 3 }))
  const rows = series.groups.map((item): Row => {
    const key = `n:${item.name}`
    return { key, label: item.label || item.name || '–', color: colorOf(item, key), sums: item }
  })
  const rest = sumsOf(series, 'rest', series.groups.length)
  return rest.callNum > 0 ? [...rows, { key: 'rest', label: other, color: grey, sums: rest }] : rows
}
