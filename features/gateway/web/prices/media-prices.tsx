import { useTexts } from '#platform/web/i18n.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { ModelRow } from '../../contract.ts'
import { MEDIA_KINDS, listModelPrices } from '../../contract-units.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatModelPrice } from '../figures.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'
import { OwnBadge } from './own-terms.tsx'
import { GATEWAY_CALL_LINE_TEXT } from '../../state-texts.ts'
import type { PriceUnit } from '../../contract-units.ts'

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
} as const satisfies Record<PriceUnit, keyof typeof gatewayTexts.zh>

/** Models for pictures, sound, moderation and ranking: a group each, every price with the unit that it is asked for. */
export function MediaPrices({ rows, currency }: { readonly rows: readonly ModelRow[]; readonly currency: 'usd' | 'cny' }) {
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
