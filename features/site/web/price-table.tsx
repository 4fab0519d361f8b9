import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gatewayContract, type ModelRow } from '#features/gateway/contract.ts'
import { QueryProvider } from '#platform/web/query.tsx'
import { createApi } from '#platform/web/api.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { cnyDisplay, usdDisplay } from '#platform/web/money.tsx'
import { buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { VendorDot } from '#ui/vendor.tsx'
import { siteTexts } from '../texts.ts'
import { Section } from './section.tsx'

const api = createApi({ modelPrice: gatewayContract.modelPrice })
const ROWS = 8
const vendors = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Claude' },
  { value: 'google', label: 'Gemini' },
] as const
type VendorTab = (typeof vendors)[number]['value']

function contextText(tokens: number | null): string {
  if (!tokens) return '–'
  return tokens >= 1_000_000 ? `${Math.round(tokens / 10_000) / 100}M` : `${Math.round(tokens / 1000)}K`
}

/** The same list that bills are made from, eight rows a vendor. */
export function PriceTable() {
  return (
    <QueryProvider>
      <Table />
    </QueryProvider>
  )
}

function Table() {
  const t = useTexts(siteTexts)
  const [vendor, setVendor] = useState<VendorTab>('openai')
  const [unit, setUnit] = useState<'usd' | 'cny'>('usd')
  const { data } = useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => api.modelPrice({}, { signal }), staleTime: 300_000 })
  if (!data?.rowList.length) return null
  const chat = data.rowList.filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  const show = (text: string | null) =>
    text === null ? '–' : <span className="num">{unit === 'usd' ? usdDisplay(text, places(text)) : cnyDisplay(text, places(text))}</span>
  const columns: Column<ModelRow>[] = [
    {
      key: 'model',
      header: t('price_model'),
      mobile: 'title',
      cell: (row) => (
        <span className="inline-flex items-center gap-2.5 font-semibold">
          <VendorDot vendor={row.vendor} />
          {row.modelName}
          <CopyButton iconOnly text={row.modelValue} label={t('price_copy', { id: row.modelValue })} className="-my-2" />
        </span>
      ),
    },
    { key: 'in', header: t('price_in'), align: 'right', cell: (row) => show(row.prices[unit].input) },
    { key: 'cached', header: t('price_cached'), align: 'right', mobile: 'hidden', cell: (row) => show(row.prices[unit].cachedInput) },
    { key: 'out', header: t('price_out'), align: 'right', cell: (row) => show(row.prices[unit].output) },
    {
      key: 'context',
      header: t('price_context'),
      align: 'right',
      mobile: 'hidden',
      cell: (row) => <span className="num">{contextText(row.contextTokens)}</span>,
    },
  ]
  return (
    <Section id="prices" title={t('price_title')} lead={t('price_lead')}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={t('price_vendor')}
          value={vendor}
          onChange={setVendor}
          items={vendors.map((item) => ({ ...item, count: chat.filter((row) => row.vendor === item.value).length }))}
        />
        <Segmented
          label={t('price_unit')}
          value={unit}
          onChange={setUnit}
          items={[
            { value: 'usd', label: '$' },
            { value: 'cny', label: '¥' },
          ]}
        />
      </div>
      <DataTable
        caption={t('price_title')}
        columns={columns}
        rows={chat.filter((row) => row.vendor === vendor).slice(0, ROWS)}
        rowKey={(row) => row.modelValue}
      />
      <p className="mt-5">
        <Link to="/api" search={{ tab: 'pricing' }} className={buttonClass('secondary')}>
          {t('price_all', { count: data.rowList.length })}
        </Link>
      </p>
    </Section>
  )
}

/** Two places, more only where the price has them: 0.075 stays 0.075. */
function places(text: string): number {
  return Math.max(2, text.split('.')[1]?.length ?? 0)
}
