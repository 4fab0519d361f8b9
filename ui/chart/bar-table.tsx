import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { DataTable, type Column } from '../data-table.tsx'
import { uiTexts } from '../texts.ts'
import type { BarsProps } from './bars.tsx'
import type { Bar } from './series.ts'

/** The figures of a chart, newest first, with sums that are added exactly. */
export function BarTable({ title, bars, series, format, sum }: Pick<BarsProps, 'title' | 'bars' | 'series' | 'format' | 'sum'>) {
  const t = useTexts(uiTexts)
  const sumOf = (bar: Bar) => sum(series.map((item) => bar.values[item.key] ?? '0'))
  const columns: Column<Bar>[] = [
    { key: 'label', header: '', cell: (bar) => <span className="num">{bar.label}</span>, mobile: 'title' },
    ...series.map((item): Column<Bar> => ({
      key: item.key,
      header: item.label,
      align: 'right',
      cell: (bar) => <span className="num">{format(bar.values[item.key] ?? '0')}</span>,
    })),
    { key: 'sum', header: t('total'), align: 'right', cell: (bar) => <span className="num">{format(sumOf(bar))}</span>, mobile: 'primary' },
  ]
  const figure = (value: string) => <span className="num">{format(value)}</span>
  const totals: Record<string, ReactNode> = { label: t('total'), sum: figure(sum(bars.map(sumOf))) }
  for (const item of series) totals[item.key] = figure(sum(bars.map((bar) => bar.values[item.key] ?? '0')))
  return (
    <DataTable
      className="mt-4 max-h-80 overflow-y-auto"
      caption={title}
      columns={columns}
      rows={[...bars].reverse()}
      rowKey={(bar) => bar.key}
      totals={totals}
    />
  )
}
