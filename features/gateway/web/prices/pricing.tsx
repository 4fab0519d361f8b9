import type { TextKeyOf } from '#platform/shared/texts.ts'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { SHOWN_VENDORS } from '../vendors/shown.ts'
import { isMedia, MEDIA_KINDS, listModelPrices, type PriceUnit } from '../../contract-units.ts'
import { gatewayTexts } from '../../texts.ts'
import { OwnTerms, OwnBadge } from './own-terms.tsx'
import { PriceTable } from './price-table.tsx'
import { useOwnPrices, useModelPrices } from '../queries.ts'
import { GATEWAY_CAPABILITY_TEXT, GATEWAY_CALL_LINE_TEXT } from '../../state-texts.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { ModelRow } from '../../contract.ts'
import { formatModelPrice } from '../figures.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'
import { parseUsd } from '#platform/shared/money.ts'

type PriceSort = 'default' | 'price' | 'context' | 'newest'
interface PriceFilter {
  readonly text: string
  readonly vendor: string
  readonly capabilities: readonly string[]
  readonly sort: PriceSort
}

/** Normalizes text for search, ignoring case, spaces and separators: "gpt5.6sol" finds gpt-5.6-sol. */
function normalizeModelText(text: string): string {
  return text.toLowerCase().replace(/[\s_.·-]+/g, '')
}

function matchesPriceFilter(row: ModelRow, filter: Pick<PriceFilter, 'text' | 'capabilities'>): boolean {
  const wanted = normalizeModelText(filter.text)
  const names = [row.modelValue, row.modelName, row.vendor, ...row.aliases]
  return (
    (!wanted || names.some((name) => normalizeModelText(name).includes(wanted))) &&
    filter.capabilities.every((capability) => row.capabilities.includes(capability))
  )
}

const SORT_ORDERS: Record<PriceSort, (a: ModelRow, b: ModelRow) => number> = {
  default: () => 0,
  price: (a, b) => compare(parseUsd(a.prices.usd.output), parseUsd(b.prices.usd.output)) || compare(parseUsd(a.prices.usd.input), parseUsd(b.prices.usd.input)),
  context: (a, b) => (b.contextTokens ?? 0) - (a.contextTokens ?? 0),
  newest: (a, b) => (b.releasedOn ?? '').localeCompare(a.releasedOn ?? ''),
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function filterPriceList(rows: readonly ModelRow[], filter: PriceFilter): ModelRow[] {
  return rows.filter((row) => (!filter.vendor || row.vendor === filter.vendor) && matchesPriceFilter(row, filter)).sort(SORT_ORDERS[filter.sort])
}

/** Replaces list prices by the caller's own prices. */
export function applyOwnPrices(list: readonly ModelRow[], own: readonly ModelRow[]): readonly ModelRow[] {
  const byModel = new Map(own.map((row) => [row.modelValue, row]))
  return list.map((row) => byModel.get(row.modelValue) ?? row)
}

const KIND_TEXT = {
  image: 'kind_image',
  speech: 'kind_speech',
  transcription: 'kind_transcription',
  moderation: 'kind_moderation',
  rerank: 'kind_rerank',
} as const
const PRICE_PER_TEXT = {
  token: 'pricePer_token',
  search: 'pricePer_search',
  character: 'pricePer_character',
  second: 'pricePer_second',
  prompt: 'pricePer_prompt',
  gigabyte: 'pricePer_gigabyte',
} as const satisfies Record<PriceUnit, TextKeyOf<typeof gatewayTexts>>

/** Models for pictures, sound, moderation and ranking: one group each, every price with its unit. */
function MediaPrices({ rows, currency }: { readonly rows: readonly ModelRow[]; readonly currency: 'usd' | 'cny' }) {
  const t = useTexts(gatewayTexts)
  return MEDIA_KINDS.map((kind) => {
    const models = rows.filter((row) => row.kind === kind)
    if (!models.length) return null
    return (
      <section key={kind} className="mt-6" aria-labelledby={`kind-${kind}`}>
        <h2 id={`kind-${kind}`} className="mb-2 text-16 font-semibold">
          {t(KIND_TEXT[kind])}
        </h2>
        <ul className="card divide-y divide-line">
          {models.map((row) => (
            <li key={row.modelValue} className="grid grid-cols-[1fr_auto] items-start gap-x-8 gap-y-2 px-4 py-3 mobile:grid-cols-1">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-x-2">
                  <VendorDot vendor={row.vendor} />
                  <span className="font-semibold">{row.modelName}</span>
                  <LifecycleBadge row={row} />
                  <OwnBadge row={row} />
                </p>
                <p className="flex items-center gap-0.5 pl-4 text-13 text-fg-3">
                  <code className="num [overflow-wrap:anywhere] whitespace-normal">{row.modelValue}</code>
                  <CopyButton iconOnly text={row.modelValue} label={t('copyModelId', { id: row.modelValue })} className="-my-2.5" />
                </p>
              </div>
              <Prices row={row} currency={currency} />
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

const CNY_PLACES = 4

function Prices({ row, currency }: { readonly row: ModelRow; readonly currency: 'usd' | 'cny' }) {
  const t = useTexts(gatewayTexts)
  const prices = listModelPrices(row.prices[currency])
  if (!prices.length) return <p className="text-14 text-fg-2 mobile:pl-4">{t('priceFree')}</p>
  return (
    <dl className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1 text-14 mobile:grid-cols-[1fr_auto] mobile:pl-4">
      {prices.map(({ name, unit, price }) => (
        <div key={name} className="contents">
          <dt className="text-fg-3">{t(GATEWAY_CALL_LINE_TEXT[name])}</dt>
          <dd className="num text-right mobile:whitespace-normal">
            {t(PRICE_PER_TEXT[unit], { price: formatModelPrice(price, currency, currency === 'cny' ? CNY_PLACES : undefined) })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const SORT_TEXT = { default: 'sort_default', price: 'sort_price', context: 'sort_context', newest: 'sort_newest' } as const satisfies Record<
  PriceSort,
  TextKeyOf<typeof gatewayTexts>
>

const CAPABILITIES = ['vision', 'tools', 'thinking', 'cache', 'structured', 'pdf', 'audio', 'video'] as const
const SORTS: readonly PriceSort[] = ['default', 'price', 'context', 'newest']

/** The price list, also for visitors. Every filter is in the URL. */
export function Pricing() {
  const t = useTexts(gatewayTexts)
  const prices = useModelPrices()
  const [text, setText] = useQueryParam<string>('q', '')
  const [vendor, setVendor] = useQueryParam<string>('vendor', '')
  const [caps, setCaps] = useQueryParam<string>('cap', '')
  const [sort, setSort] = useQueryParam<PriceSort>('sort', 'default')
  const [currency, setCurrency] = useQueryParam<'usd' | 'cny'>('cur', 'usd')
  const capabilities = caps.split(',').filter(Boolean)
  const own = useOwnPrices().data
  const all = applyOwnPrices(prices.data?.rowList ?? [], own?.rowList ?? [])
  const found = all.filter((row) => matchesPriceFilter(row, { text, capabilities }))
  const order = SORTS.find((name) => name === sort) ?? 'default'
  const rows = filterPriceList(all, { text, vendor, capabilities, sort: order })
  const texts = rows.filter((row) => !isMedia(row.kind))
  const shown = currency === 'cny' ? 'cny' : 'usd'
  const used = CAPABILITIES.filter((name) => all.some((row) => row.capabilities.includes(name)))
  const pills = [
    { value: '', label: t('allVendors'), count: found.length },
    ...SHOWN_VENDORS.map(({ id, label }) => ({ value: id, label, count: found.filter((row) => row.vendor === id).length })),
  ]
  if (prices.error) return <ErrorState error={prices.error} onRetry={() => void prices.refetch()} />
  return (
    <>
      {own?.terms.length ? <OwnTerms terms={own.terms} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <label className="relative w-72 mobile:w-full">
          <span className="sr-only">{t('searchModels')}</span>
          <Search size={16} strokeWidth={1.75} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-fg-3" />
          <input type="search" className="input pl-9" placeholder={t('searchModels')} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <Segmented label={t('colModelName')} value={vendor} onChange={setVendor} items={pills} />
        <div className="ml-auto flex items-center gap-3 mobile:ml-0 mobile:w-full mobile:justify-between">
          <PickField
            label={t('sortBy')}
            hideLabel
            className="w-44"
            options={SORTS.map((name) => ({ value: name, label: t(SORT_TEXT[name]) }))}
            value={order}
            onChange={setSort}
          />
          <Segmented
            label={t('currency')}
            value={shown}
            onChange={setCurrency}
            items={[
              { value: 'usd', label: '$' },
              { value: 'cny', label: '¥' },
            ]}
          />
        </div>
      </div>
      <Capabilities names={used} chosen={capabilities} onChoose={(names) => setCaps(names.join(','))} />
      <p className="mt-4 mb-2 flex flex-wrap justify-between gap-x-6 text-13 text-fg-3" aria-live="polite">
        <span className="num">{prices.data ? t('modelCount', { count: rows.length }) : ''}</span>
        <span>{t('priceUnit')}</span>
      </p>
      {rows.length && !texts.length ? null : (
        <PriceTable
          rows={texts}
          currency={shown}
          instead={prices.isPending ? <SkeletonRows rows={8} /> : rows.length ? undefined : <EmptyState title={t('noMatch')} action={<ClearFilters />} />}
        />
      )}
      <MediaPrices rows={rows} currency={shown} />
      {currency === 'cny' && prices.data ? <p className="mt-3 text-13 text-fg-3">{t('rateNote', { rate: prices.data.rate })}</p> : null}
      {prices.data ? <Rules readOnMinutes={prices.data.readOnMinutes} /> : null}
    </>
  )
}

interface CapabilitiesProps {
  readonly names: readonly (typeof CAPABILITIES)[number][]
  readonly chosen: readonly string[]
  readonly onChoose: (names: readonly string[]) => void
}

function Capabilities({ names, chosen, onChoose }: CapabilitiesProps) {
  const t = useTexts(gatewayTexts)
  const toggle = (name: string) => onChoose(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  return (
    <div role="group" aria-label={t('capability')} className="mt-3 flex flex-wrap gap-2">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={chosen.includes(name)}
          onClick={() => toggle(name)}
          className="inline-flex min-h-8 items-center rounded-full border border-line bg-surface px-3 text-13 text-fg-2 hover:border-control aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text mobile:min-h-[40px]"
        >
          {t(GATEWAY_CAPABILITY_TEXT[name])}
        </button>
      ))}
    </div>
  )
}

function Rules({ readOnMinutes }: { readonly readOnMinutes: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <section className="mt-8 max-w-3xl text-14 text-fg-2" aria-labelledby="rules-title">
      <h2 id="rules-title" className="text-16 font-semibold text-fg">
        {t('ruleTitle')}
      </h2>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5">
        <li>{t('ruleRound')}</li>
        <li>{t('ruleFailed')}</li>
        <li>{t('ruleDisconnect', { minutes: String(readOnMinutes) })}</li>
      </ul>
    </section>
  )
}

function ClearFilters() {
  const t = useTexts(gatewayTexts)
  return (
    <Link to="/api" search={{ tab: 'pricing' }} className={getButtonClass('secondary')}>
      {t('clearFilters')}
    </Link>
  )
}
