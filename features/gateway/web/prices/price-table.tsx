import type { ReactNode } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { ModelRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'
import { OwnBadge } from './own-terms.tsx'
import { formatContextSize, formatModelPrice } from '../figures.ts'
import { GATEWAY_CAPABILITY_TEXT } from '../../state-texts.ts'

interface PriceTableProps {
  readonly rows: readonly ModelRow[]
  readonly currency: 'usd' | 'cny'
  readonly instead?: ReactNode
}

const CNY_PLACES = 4

export function PriceTable({ rows, currency, instead }: PriceTableProps) {
  const t = useTexts(gatewayTexts)
  const price = (text: string | null) => (
    <span className={`num ${text === null ? 'text-fg-3' : ''}`}>{formatModelPrice(text, currency, currency === 'cny' ? CNY_PLACES : undefined)}</span>
  )
  const columns: Column<ModelRow>[] = [
    { key: 'model', header: t('colModelName'), mobile: 'title', cell: (row) => <ModelName row={row} currency={currency} /> },
    {
      key: 'inOut',
      header: `${t('colInput')} / ${t('colOutput')}`,
      className: 'desktop:hidden',
      cell: (row) => (
        <>
          {price(row.prices[currency].input)} / {price(row.kind === 'embedding' ? null : row.prices[currency].output)}
        </>
      ),
    },
    {
      key: 'cache',
      header: `${t('colCacheRead')} / ${t('colCacheWrite')}`,
      className: 'desktop:hidden',
      cell: (row) => (
        <>
          {price(row.prices[currency].cachedInput)} / {price(row.prices[currency].cacheWrite5m)}
        </>
      ),
    },
    { key: 'in', header: t('colInput'), align: 'right', mobile: 'hidden', cell: (row) => price(row.prices[currency].input) },
    {
      key: 'out',
      header: t('colOutput'),
      align: 'right',
      mobile: 'hidden',
      cell: (row) => (row.kind === 'embedding' ? price(null) : price(row.prices[currency].output)),
    },
    { key: 'read', header: t('colCacheRead'), align: 'right', mobile: 'hidden', cell: (row) => price(row.prices[currency].cachedInput) },
    { key: 'write', header: t('colCacheWrite'), align: 'right', mobile: 'hidden', cell: (row) => <CacheWrite row={row} currency={currency} /> },
    { key: 'context', header: t('colContext'), align: 'right', cell: (row) => <span className="num">{formatContextSize(row.contextTokens)}</span> },
    { key: 'caps', header: t('colCapability'), mobile: 'hidden', className: 'max-w-56', cell: (row) => <Capabilities row={row} /> },
  ]
  return <DataTable caption={t('tab_pricing')} columns={columns} rows={rows} rowKey={(row) => row.modelValue} instead={instead} />
}

function ModelName({ row, currency }: { readonly row: ModelRow; readonly currency: 'usd' | 'cny' }) {
  const t = useTexts(gatewayTexts)
  const long = row.longContext
  const places = currency === 'cny' ? CNY_PLACES : undefined
  return (
    <div className="min-w-0 py-1">
      <p className="flex flex-wrap items-center gap-x-2">
        <VendorDot vendor={row.vendor} />
        <span className="font-semibold">{row.modelName}</span>
        <LifecycleBadge row={row} />
        <OwnBadge row={row} />
      </p>
      <p className="flex items-center gap-0.5 pl-4 text-13 font-normal text-fg-3">
        <code className="num min-w-0 [overflow-wrap:anywhere] whitespace-normal">{row.modelValue}</code>
        <CopyButton iconOnly text={row.modelValue} label={t('copyModelId', { id: row.modelValue })} className="-my-2.5" />
      </p>
      {long ? (
        <p className="num pl-4 text-12 font-normal whitespace-normal text-fg-3">
          {t('longTier', {
            above: formatCount(long.aboveInputTokens),
            input: formatModelPrice(long[currency].input, currency, places),
            output: formatModelPrice(long[currency].output, currency, places),
          })}
        </p>
      ) : null}
    </div>
  )
}

/** Price of cache writes, the shorter lifetime first; two prices if the vendor has two. */
function CacheWrite({ row, currency }: { readonly row: ModelRow; readonly currency: 'usd' | 'cny' }) {
  const { cacheWrite5m, cacheWrite1h } = row.prices[currency]
  const places = currency === 'cny' ? CNY_PLACES : undefined
  return (
    <span className={`num ${cacheWrite5m === null ? 'text-fg-3' : ''}`}>
      {formatModelPrice(cacheWrite5m, currency, places)}
      {cacheWrite1h === null ? null : <span className="block text-12 text-fg-3">1h {formatModelPrice(cacheWrite1h, currency, places)}</span>}
    </span>
  )
}

const NAMED_CAPABILITIES = ['vision', 'tools', 'thinking', 'cache', 'structured', 'pdf', 'audio', 'video'] as const

function Capabilities({ row }: { readonly row: ModelRow }) {
  const t = useTexts(gatewayTexts)
  return (
    <span className="flex flex-wrap gap-1">
      {NAMED_CAPABILITIES.filter((name) => row.capabilities.includes(name)).map((name) => (
        <Badge key={name}>{t(GATEWAY_CAPABILITY_TEXT[name])}</Badge>
      ))}
    </span>
  )
}
