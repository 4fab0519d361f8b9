import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { sumUsd, Usd, displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { BarChart } from '#ui/chart/bar-chart.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { Stat } from '#ui/figures/stat.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { devTexts } from './texts.ts'

interface Row {
  readonly model: string
  readonly vendor: string
  readonly calls: number
  readonly tokens: string
  readonly amount: string
  readonly at: string
}
const rows: readonly Row[] = [
  { model: 'gpt-6.2-sol', vendor: 'openai', calls: 412, tokens: '1,204,118', amount: '4.2184', at: '2026-11-20T02:14:00Z' },
  { model: 'claude-sonnet-5-5', vendor: 'anthropic', calls: 96, tokens: '640,902', amount: '2.9071', at: '2026-11-19T11:02:00Z' },
  { model: 'gemini-3.8-flash', vendor: 'google', calls: 1530, tokens: '3,022,551', amount: '3.1150', at: '2026-11-18T23:40:00Z' },
]

export function DataShow() {
  const t = useTexts(devTexts)
  const [tab, setTab] = useQueryParam<'one' | 'two'>('tab', 'one')
  const [vendor, setVendor] = useState<'all' | 'openai'>('all')
  const columns: Column<Row>[] = [
    {
      key: 'model',
      header: t('model'),
      mobile: 'title',
      cell: (row) => (
        <span className="inline-flex items-center gap-2.5 font-medium">
          <Dot color={getVendorColor(row.vendor)} />
          {row.model}
        </span>
      ),
    },
    { key: 'time', header: t('time'), cell: (row) => <Time at={row.at} /> },
    { key: 'calls', header: t('calls'), align: 'right', cell: (row) => <span className="num">{row.calls}</span> },
    { key: 'tokens', header: t('tokens'), align: 'right', cell: (row) => <span className="num">{row.tokens}</span> },
    { key: 'amount', header: t('amount'), align: 'right', mobile: 'primary', cell: (row) => <Usd value={row.amount} places={4} /> },
  ]
  return (
    <div className="grid gap-5">
      <div className="grid gap-4 desktop:grid-cols-3">
        <Stat label={t('available')} value={displayUsd('24.1')} note={t('runway')} action={<Button size="sm">{t('primary')}</Button>} />
      </div>
      <Segmented
        label={t('filter')}
        value={vendor}
        onChange={setVendor}
        items={[
          { value: 'all', label: t('all'), count: 3 },
          { value: 'openai', label: 'OpenAI', count: 1 },
        ]}
        className="justify-self-start"
      />
      <DataTable
        caption={t('s_data')}
        columns={columns}
        rows={vendor === 'all' ? rows : rows.slice(0, 1)}
        rowKey={(row) => row.model}
        totals={{ model: t('total'), amount: <Usd value={sumUsd(rows.map((row) => row.amount))} places={4} /> }}
      />
      <Tabs
        label={t('s_data')}
        value={tab}
        onChange={setTab}
        items={[
          { value: 'one', label: t('tabOne'), panel: t('panelOne') },
          { value: 'two', label: t('tabTwo'), panel: t('panelTwo') },
        ]}
      />
    </div>
  )
}

const bars = Array.from({ length: 14 }, (_, day) => ({
  key: `11-${String(7 + day).padStart(2, '0')}`,
  label: `11-${String(7 + day).padStart(2, '0')}`,
  isOpen: day === 13,
  values: {
    openai: `0.${String(1210 + ((day * 3571) % 4200)).padStart(4, '0')}`,
    anthropic: `0.${String(900 + ((day * 2293) % 3900)).padStart(4, '0')}`,
    google: `0.${String(500 + ((day * 1777) % 2600)).padStart(4, '0')}`,
  },
}))

export function ChartShow() {
  const t = useTexts(devTexts)
  return (
    <BarChart
      title={t('chartTitle')}
      bars={bars}
      format={(value) => displayUsd(value, 4)}
      tick={(value) => `$${value}`}
      sum={sumUsd}
      series={[
        { key: 'openai', label: 'OpenAI', color: 1 },
        { key: 'anthropic', label: 'Claude', color: 2 },
        { key: 'google', label: 'Gemini', color: 3 },
      ]}
    />
  )
}
