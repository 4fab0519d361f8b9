import type { ReactNode } from 'react'
import type { ModelRow } from '#features/gateway/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { pricingTexts } from '../../pricing-texts.ts'
import { formatLength, formatListPrice, type PriceCurrency } from '../price-figures.ts'
import { estimateLongTalk } from './estimate.ts'
import { ModelName } from './model-name.tsx'
import { MAX_COMPARED, type PricingFilters } from './use-filters.ts'

interface RowsProps {
  readonly rows: readonly ModelRow[]
  readonly rate: string
  readonly filters: PricingFilters
}

/** One markup for both layouts: a table on wide screens, cards on phones and on the reader's choice. */
export function PriceRows({ rows, rate, filters }: RowsProps) {
  const t = useTexts(pricingTexts)
  const { unit, view } = filters
  return (
    <div
      className={view === 'cards' ? 'price-cards' : 'price-table card overflow-x-auto mobile:price-cards'}
      {...(view === 'cards' ? {} : { 'tabIndex': 0, 'role': 'group', 'aria-label': t('table') })}
    >
      <table className="w-full border-collapse text-14 tabular" role="table">
        <caption className="sr-only">{t('table')}</caption>
        <thead className="bg-sunken" role="rowgroup">
          <tr role="row">
            <Head first>{t('model')}</Head>
            <Head>{t('input')}</Head>
            <Head>{t('cached')}</Head>
            <Head>{t('cache_write')}</Head>
            <Head>{t('output')}</Head>
            <Head>{t('context')}</Head>
            <Head>{t('talk')}</Head>
            <Head>{t('compare')}</Head>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Row key={row.modelValue} row={row} unit={unit} rate={rate} filters={filters} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, unit, rate, filters }: { readonly row: ModelRow; readonly unit: PriceCurrency; readonly rate: string; readonly filters: PricingFilters }) {
  const t = useTexts(pricingTexts)
  const prices = row.prices[unit]
  const long = row.longContext
  const talk = estimateLongTalk(row, rate)
  const { compare } = filters
  const chosen = compare.includes(row.modelValue)
  const full = compare.length >= MAX_COMPARED && !chosen
  /** The price of an audio token is shown below that of a text token. */
  const spoken = (price: string | null) => (row.kind === 'realtime' && price !== null ? t('spoken', { price: formatListPrice(price, unit) }) : undefined)
  return (
    <tr role="row" className="border-t border-line hover:bg-sunken">
      <th role="rowheader" scope="row" className="px-4 py-2 text-left font-normal">
        <ModelName row={row} unit={unit} />
      </th>
      <Cell label={t('input')} below={long ? formatListPrice(long[unit].input, unit) : spoken(prices.audioInput)}>
        {formatListPrice(prices.input, unit)}
      </Cell>
      <Cell label={t('cached')} quiet>
        {formatListPrice(prices.cachedInput, unit)}
      </Cell>
      <Cell label={t('cache_write')} quiet below={prices.cacheWrite1h === null ? undefined : `1h ${formatListPrice(prices.cacheWrite1h, unit)}`}>
        {formatListPrice(prices.cacheWrite5m, unit)}
      </Cell>
      <Cell label={t('output')} below={long && row.kind === 'chat' ? formatListPrice(long[unit].output, unit) : spoken(prices.audioOutput)}>
        {row.kind === 'embedding' ? '–' : formatListPrice(prices.output, unit)}
      </Cell>
      <Cell label={t('context')} quiet below={long ? t('above', { count: formatLength(long.aboveInputTokens) }) : undefined}>
        {formatLength(row.contextTokens)}
      </Cell>
      <Cell label={t('talk')} quiet>
        {talk ?? '–'}
      </Cell>
      <td role="cell" className="px-4 text-right mobile:px-0">
        <label className="price-pick inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 text-13 text-fg-2">
          <input
            type="checkbox"
            className="size-[18px] accent-brand"
            checked={chosen}
            disabled={full}
            onChange={() => filters.toggleCompared(row.modelValue)}
            aria-label={t('compare_one', { name: row.modelName })}
          />
          <span className="price-label" aria-hidden="true">
            {t('compare')}
          </span>
        </label>
      </td>
    </tr>
  )
}

function Head({ first = false, children }: { readonly first?: boolean; readonly children: ReactNode }) {
  return (
    <th role="columnheader" scope="col" className={`h-11 px-4 text-13 font-medium whitespace-nowrap text-fg-2 ${first ? 'text-left' : 'text-right'}`}>
      {children}
    </th>
  )
}

interface CellProps {
  readonly label: string
  readonly below?: string | undefined
  readonly quiet?: boolean
  readonly children: ReactNode
}

function Cell({ label, below, quiet = false, children }: CellProps) {
  return (
    <td role="cell" className={`px-4 py-2 text-right align-top ${quiet ? 'text-fg-2' : ''}`}>
      <span className="price-label text-13 text-fg-3" aria-hidden="true">
        {label}
      </span>
      <span className="price-value">
        <span className="num block leading-8">{children}</span>
        {below ? <span className="num block text-12 text-fg-3">{below}</span> : null}
      </span>
    </td>
  )
}
