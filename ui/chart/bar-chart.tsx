import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '../fields/segmented.tsx'
import { uiTexts } from '../texts.ts'
import { Bars, Swatch } from './bars.tsx'
import type { BarsProps } from './bars.tsx'
import { DataTable } from '../data-table.tsx'
import type { Column } from '../data-table.tsx'
import type { Bar } from './series.ts'

/** The figures of a chart, newest first, with exact sums. */
function BarTable({ title, bars, series, format, sum }: Pick<BarsProps, 'title' | 'bars' | 'series' | 'format' | 'sum'>) {
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

export interface BarChartProps extends BarsProps {
  readonly aside?: ReactNode
}

/** A chart with its legend; one press shows the same figures as a table. */
export function BarChart({ aside, ...chart }: BarChartProps) {
  const t = useTexts(uiTexts)
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <div className="card p-5 mobile:p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h2 className="text-16 font-semibold">{chart.title}</h2>
          {aside ? <p className="text-13 text-fg-2">{aside}</p> : null}
        </div>
        <Segmented
          label={chart.title}
          value={view}
          onChange={setView}
          items={[
            { value: 'chart', label: t('chartView') },
            { value: 'table', label: t('tableView') },
          ]}
        />
      </div>
      {view === 'chart' ? <Bars {...chart} /> : <BarTable {...chart} />}
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-fg-2">
        {chart.series.map((item) => (
          <li key={item.key} className="inline-flex items-center gap-2">
            <Swatch of={item} />
            {item.label}
          </li>
        ))}
      </ul>
    </div>
  )
}
