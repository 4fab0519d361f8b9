import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { isMedia } from '#features/gateway/contract-units.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { siteTexts } from '../../texts.ts'
import { useYourPrices } from '../your-prices.ts'
import { Compare } from './compare.tsx'
import { PricingFilterBar } from './filter-bar.tsx'
import { arrangeModels, filterModels } from './filters.ts'
import { MediaRows } from './media-rows.tsx'
import { PriceRows } from './price-rows.tsx'
import { PricingRules } from './rules.tsx'
import { usePricingFilters } from './use-filters.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { SITE_CAP_TEXT } from '../../pricing-state-texts.ts'

const ModelSheet = lazy(() => import('./model-sheet.tsx').then((m) => ({ default: m.ModelSheet })))

/** The whole price list, for everybody; every choice on it is in the address. */
export function PricingPage() {
  const t = useTexts(pricingTexts)
  const s = useTexts(siteTexts)
  useTitle(s('pricing_title'))
  const { data, error, retry, isOwn } = useYourPrices()
  const filters = usePricingFilters()
  const { filter, unit } = filters
  const all = data?.rowList ?? []
  const rate = data?.rate ?? '1'
  const left = filterModels(all, filter, (key) => (key in SITE_CAP_TEXT ? t(resolveTextKey(SITE_CAP_TEXT, key)) : ''))
  const rows = arrangeModels(left, filter)
  const texts = rows.filter((row) => !isMedia(row.kind))
  const compared = filters.compare.flatMap((id) => all.find((row) => row.modelValue === id) ?? [])
  const model = all.find((row) => row.modelValue === filters.model || row.aliases.includes(filters.model))
  const sheetUsed = useRef(false)
  if (model) sheetUsed.current = true
  return (
    <div className="wrap-1200 py-16 mobile:py-8">
      <header className="mb-8 mobile:mb-6">
        <h1 className="text-40 mobile:text-28">{s('pricing_title')}</h1>
        <p className="mt-2 text-fg-2">{t(isOwn ? 'lead_own' : 'lead')}</p>
      </header>
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <>
          {compared.length ? (
            <Compare rows={compared} unit={unit} rate={rate} onRemove={filters.toggleCompared} onClear={() => filters.setCompared('')} />
          ) : null}
          <PricingFilterBar filters={filters} all={all} left={left} />
          <p className="mt-5 mb-2 flex flex-wrap justify-between gap-x-6 text-13 text-fg-3">
            <span className="tabular" role="status">
              {data ? t('count', { count: rows.length }) : ''}
            </span>
            <span>{unit === 'cny' && data ? s('price_rate', { rate: data.rate }) : t('per_million')}</span>
          </p>
          {!data ? (
            <div className="card">
              <SkeletonRows rows={10} />
            </div>
          ) : rows.length ? (
            <>
              {texts.length ? <PriceRows rows={texts} rate={rate} filters={filters} /> : null}
              {texts.length ? <p className="mt-3 text-13 text-fg-3">{t('talk_note')}</p> : null}
              <MediaRows rows={rows} unit={unit} />
            </>
          ) : (
            <div className="card">
              <EmptyState
                title={t('none')}
                action={
                  <Link to="/pricing" className={getButtonClass('secondary')}>
                    {t('clear')}
                  </Link>
                }
              />
            </div>
          )}
        </>
      )}
      <PricingRules />
      {sheetUsed.current ? (
        <Suspense>
          <ModelSheet row={model} unit={unit} rate={rate} onClose={() => filters.setModel('')} />
        </Suspense>
      ) : null}
    </div>
  )
}
