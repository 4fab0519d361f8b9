import { useState, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '../fields/segmented.tsx'
import { uiTexts } from '../texts.ts'
import { BarTable } from './bar-table.tsx'
import { Bars, type BarsProps } from './bars.tsx'
import { Swatch } from './swatch.tsx'

export interface BarChartProps extends BarsProps {
  readonly aside?: ReactNode
}

/** A chart with its legend; the same figures as a table one press away. */
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
