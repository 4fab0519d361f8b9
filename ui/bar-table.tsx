import { useTexts } from '#platform/web/i18n.ts'
import { sumUsd } from '#platform/web/money.tsx'
import type { BarChartProps } from './bar-chart.tsx'
import { DataTable, type Column } from './data-table.tsx'
import { uiTexts } from './texts.ts'

type Bar = BarChartProps['bars'][number]

/** The figures of a chart, newest first, with sums that are added exactly. */
export function BarTable({ title, bars, series, format }: Omit<BarChartProps, 'aside'>) {
  const t = useTexts(uiTexts)
  const sum = (bar: Bar) => sumUsd(series.map((item) => bar.values[item.key] ?? '0'))
  const columns: Column<Bar>[] = [
    { key: 'label', header: '', cell: (bar) => <span className="num">{bar.label}</span>, mobile: 'title' },
    ...series.map((item): Column<Bar> => ({
      key: item.key,
      header: item.label,
      align: 'right',
      cell: (bar) => <span className="num">{format(bar.values[item.key] ?? '0')}</span>,
    })),
    { key: 'sum', header: t('total'), align: 'right', cell: (bar) => <span className="num">{format(sum(bar))}</span>, mobile: 'primary' },
  ]
  return <DataTable className="mt-4 max-h-80 overflow-y-auto" caption={title} columns={columns} rows={[...bars].reverse()} rowKey={(bar) => bar.label} />
}
