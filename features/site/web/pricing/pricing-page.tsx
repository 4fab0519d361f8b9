import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { isMedia, MEDIA_KINDS, listModelPrices } from '#features/gateway/contract-units.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { siteTexts } from '../../texts.ts'
import { useYourPrices } from '../your-prices.ts'
import { PricingFilterBar } from './filter-bar.tsx'
import { arrangeModels, filterModels } from './filters.ts'
import { PriceRows } from './price-rows.tsx'
import { usePricingFilters } from './use-filters.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { SITE_CAP_TEXT, SITE_KIND_TEXT, SITE_CLASS_TEXT, SITE_PER_TEXT } from '../../pricing-state-texts.ts'
import { usePriceList } from '../use-prices.ts'
import type { ModelRow } from '#features/gateway/contract.ts'
import { formatListPrice, formatLength } from '../price-figures.ts'
import type { PriceCurrency } from '../price-figures.ts'
import { ModelName } from './model-name.tsx'
import { X } from 'lucide-react'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { estimateLongTalk } from './estimate.ts'

interface CompareProps {
  readonly rows: readonly ModelRow[]
  readonly unit: PriceCurrency
  readonly rate: string
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** Compares up to three models as receipts side by side: the same lines at the same height. */
function Compare({ rows, unit, rate, onRemove, onClear }: CompareProps) {
  const t = useTexts(pricingTexts)
  return (
    <section aria-labelledby="compare-title" className="mb-8 border-y border-line bg-sunken py-8 mobile:-mx-5 mobile:px-5">
      <div className="mb-4 flex items-center justify-between gap-4 desktop:px-6">
        <h2 id="compare-title" className="text-20">
          {t('compare_title', { count: rows.length })}
        </h2>
        <button type="button" className="link min-h-11 text-14" onClick={onClear}>
          {t('compare_clear')}
        </button>
      </div>
      <div className="no-bar flex gap-5 overflow-x-auto pb-1 desktop:px-6" tabIndex={0} role="group" aria-label={t('compare_title', { count: rows.length })}>
        {rows.map((row) => (
          <Receipt key={row.modelValue} look="inline" label={row.modelName} className="w-[340px] max-w-full shrink-0 mobile:w-[78vw]">
            <div className="flex items-center justify-between gap-2">
              <h3 className="flex min-w-0 items-center gap-2 text-16 font-semibold">
                <Dot color={getVendorColor(row.vendor)} />
                {row.modelName}
              </h3>
              <button
                type="button"
                className="icon-btn -my-2 -mr-2"
                aria-label={t('compare_remove', { name: row.modelName })}
                onClick={() => onRemove(row.modelValue)}
              >
                <X size={16} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </div>
            <ReceiptRule />
            <ReceiptRow label={t('input')} value={formatListPrice(row.prices[unit].input, unit)} />
            <ReceiptRow label={t('cached')} value={formatListPrice(row.prices[unit].cachedInput, unit)} />
            <ReceiptRow label={t('cache_write')} value={formatListPrice(row.prices[unit].cacheWrite5m, unit)} />
            <ReceiptRow label={t('output')} value={row.kind === 'embedding' ? '–' : formatListPrice(row.prices[unit].output, unit)} />
            {row.kind === 'realtime' ? (
              <>
                <ReceiptRow label={t('class_audioInput')} value={formatListPrice(row.prices[unit].audioInput, unit)} />
                <ReceiptRow label={t('class_audioOutput')} value={formatListPrice(row.prices[unit].audioOutput, unit)} />
              </>
            ) : null}
            <ReceiptRow label={t('context')} value={formatLength(row.contextTokens)} />
            <ReceiptRow label={t('max_output')} value={formatLength(row.maxOutputTokens)} />
            <ReceiptRow label={t('released')} value={row.releasedOn ?? '–'} />
            <ReceiptRule />
            <ReceiptRow strong label={t('talk')} value={estimateLongTalk(row, rate) ?? '–'} />
          </Receipt>
        ))}
      </div>
    </section>
  )
}

const KIND_NOTE_TEXT = {
  image: 'kind_image_note',
  speech: 'kind_speech_note',
  transcription: 'kind_transcription_note',
  moderation: 'kind_moderation_note',
  rerank: 'kind_rerank_note',
} as const

/** Models for images, audio, moderation and ranking, one group each; every price has its billing unit. */
function MediaRows({ rows, unit }: { readonly rows: readonly ModelRow[]; readonly unit: PriceCurrency }) {
  const t = useTexts(pricingTexts)
  return MEDIA_KINDS.map((kind) => {
    const models = rows.filter((row) => row.kind === kind)
    if (!models.length) return null
    return (
      <section key={kind} className="mt-8" aria-labelledby={`kind-${kind}`}>
        <h2 id={`kind-${kind}`} className="text-20">
          {t(SITE_KIND_TEXT[kind])}
        </h2>
        <p className="mt-1 mb-3 text-13 text-fg-3">{t(KIND_NOTE_TEXT[kind])}</p>
        <ul className="card divide-y divide-line">
          {models.map((row) => (
            <li key={row.modelValue} className="grid grid-cols-[1fr_auto] items-start gap-x-8 gap-y-2 px-4 py-2 mobile:grid-cols-1">
              <ModelName row={row} unit={unit} />
              <MediaPrices row={row} unit={unit} className="py-1.5 mobile:pt-0 mobile:pb-2 mobile:pl-4" />
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

function MediaPrices({ row, unit, className }: { readonly row: ModelRow; readonly unit: PriceCurrency; readonly className: string }) {
  const t = useTexts(pricingTexts)
  const prices = listModelPrices(row.prices[unit])
  if (!prices.length) return <p className={`text-14 text-fg-2 ${className}`}>{t('free')}</p>
  return (
    <dl className={`grid grid-cols-[auto_auto] gap-x-6 gap-y-1 text-14 mobile:grid-cols-[1fr_auto] ${className}`}>
      {prices.map(({ name, unit: per, price }) => (
        <div key={name} className="contents">
          <dt className="text-fg-3">{t(SITE_CLASS_TEXT[name])}</dt>
          <dd className="num text-right mobile:whitespace-normal">{t(SITE_PER_TEXT[per], { price: formatListPrice(price, unit) })}</dd>
        </div>
      ))}
    </dl>
  )
}

const BODY_TEXT = {
  rule_unit: 'rule_unit_body',
  rule_failed: 'rule_failed_body',
  rule_stop: 'rule_stop_body',
  rule_whole: 'rule_whole_body',
  rule_retire: 'rule_retire_body',
} as const

const rules = ['rule_unit', 'rule_failed', 'rule_stop', 'rule_whole', 'rule_retire'] as const

/** Charging rules, next to the prices. */
function PricingRules() {
  const t = useTexts(pricingTexts)
  const { data } = usePriceList()
  return (
    <section aria-labelledby="rules" className="mt-14 grid gap-x-10 gap-y-4 desktop:grid-cols-[minmax(0,.5fr)_minmax(0,1.5fr)] mobile:mt-10">
      <h2 id="rules" className="text-28 mobile:text-20">
        {t('rules')}
      </h2>
      <div>
        <dl className="border-t-2 border-fg">
          {rules.map((key) => (
            <div key={key} className="grid gap-x-8 border-b border-line py-4 desktop:grid-cols-[180px_minmax(0,1fr)]">
              <dt className="font-semibold">{t(key)}</dt>
              <dd className="text-fg-2">{t(BODY_TEXT[key], { minutes: data ? String(data.readOnMinutes) : '…' })}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-14 text-fg-3">
          {t('rules_more')}{' '}
          <Link to="/help" className="link">
            {t('rules_help')}
          </Link>
        </p>
      </div>
    </section>
  )
}

const ModelSheet = lazy(() => import('./model-sheet.tsx').then((m) => ({ default: m.ModelSheet })))

/** The whole public price list; all filters are in the address. */
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
