import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ModelRow } from '#features/gateway/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CHAT_VENDORS, getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { siteTexts } from '../../texts.ts'
import { formatLength, formatListPrice, type PriceCurrency } from '../price-figures.ts'
import { UnitToggle } from '../unit-toggle.tsx'
import { useYourPrices } from '../your-prices.ts'
import { Section } from './section.tsx'

const ROWS = 8

/** Excerpt of the price list used for billing, eight rows per vendor. */
export function LandingPrices() {
  const t = useTexts(siteTexts)
  const { data, error, retry, isOwn } = useYourPrices()
  const [vendor, setVendor] = useState(CHAT_VENDORS[0].id)
  const [unit, setUnit] = useState<PriceCurrency>('usd')
  const chat = (data?.rowList ?? []).filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  return (
    <Section id="prices" title={t('price_title')} lead={t(isOwn ? 'price_lead_own' : 'price_lead')}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={t('price_vendor')}
          value={vendor}
          onChange={setVendor}
          items={CHAT_VENDORS.map(({ id, label }) => ({ value: id, label, count: chat.filter((row) => row.vendor === id).length }))}
        />
        <UnitToggle value={unit} onChange={setUnit} />
      </div>
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <div className="card overflow-hidden">
          {data ? <Table rows={chat.filter((row) => row.vendor === vendor).slice(0, ROWS)} unit={unit} /> : <SkeletonRows rows={ROWS} />}
        </div>
      )}
      <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        <Link to="/pricing" className={getButtonClass('secondary')}>
          {t('price_all', { count: data?.rowList.length ?? '' })}
        </Link>
        {data && unit === 'cny' ? <span className="text-13 text-fg-3">{t('price_rate', { rate: data.rate })}</span> : null}
      </p>
    </Section>
  )
}

function Table({ rows, unit }: { readonly rows: readonly ModelRow[]; readonly unit: PriceCurrency }) {
  const t = useTexts(siteTexts)
  const head = 'h-11 px-4 font-medium whitespace-nowrap text-13 text-fg-2 mobile:px-2 mobile:first:pl-4 mobile:last:pr-4'
  const cell = 'num h-12 px-4 text-right mobile:px-2 mobile:last:pr-4'
  return (
    <table className="w-full border-collapse text-14 tabular">
      <caption className="sr-only">{t('price_title')}</caption>
      <thead className="bg-sunken">
        <tr>
          <th scope="col" className={`${head} text-left`}>
            {t('price_model')}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {t('price_in')}
          </th>
          <th scope="col" className={`${head} text-right mobile:hidden`}>
            {t('price_cached')}
          </th>
          <th scope="col" className={`${head} text-right mobile:pr-4`}>
            {t('price_out')}
          </th>
          <th scope="col" className={`${head} text-right mobile:hidden`}>
            {t('price_context')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.modelValue} className="border-t border-line hover:bg-sunken">
            <th scope="row" className="h-12 px-4 text-left font-semibold mobile:pr-0">
              <span className="flex items-center gap-2.5">
                <Dot color={getVendorColor(row.vendor)} />
                <Link
                  to="/pricing"
                  search={{ model: row.modelValue }}
                  className="inline-flex min-h-11 items-center no-underline underline-offset-4 hover:underline"
                >
                  {row.modelName}
                </Link>
                <code className="num ml-1 font-normal text-13 text-fg-3 mobile:hidden">{row.modelValue}</code>
                <CopyButton iconOnly text={row.modelValue} label={t('price_copy', { id: row.modelValue })} className="-my-2 mobile:-ml-2" />
              </span>
            </th>
            <td className={cell}>{formatListPrice(row.prices[unit].input, unit)}</td>
            <td className={`${cell} text-fg-2 mobile:hidden`}>{formatListPrice(row.prices[unit].cachedInput, unit)}</td>
            <td className={`${cell} mobile:pr-4`}>{formatListPrice(row.prices[unit].output, unit)}</td>
            <td className={`${cell} text-fg-2 mobile:hidden`}>{formatLength(row.contextTokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
