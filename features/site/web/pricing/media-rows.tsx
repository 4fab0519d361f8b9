import type { ModelRow } from '#features/gateway/contract.ts'
import { MEDIA_KINDS, listModelPrices } from '#features/gateway/contract-units.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { pricingTexts } from '../../pricing-texts.ts'
import { formatListPrice, type PriceCurrency } from '../price-figures.ts'
import { ModelName } from './model-name.tsx'
import { SITE_KIND_TEXT, SITE_CLASS_TEXT, SITE_PER_TEXT } from '../../pricing-state-texts.ts'

const KIND_NOTE_TEXT = {
  image: 'kind_image_note',
  speech: 'kind_speech_note',
  transcription: 'kind_transcription_note',
  moderation: 'kind_moderation_note',
  rerank: 'kind_rerank_note',
} as const

/** Models for pictures, sound, moderation and ranking: a group each, every price with the unit that it is asked for. */
export function MediaRows({ rows, unit }: { readonly rows: readonly ModelRow[]; readonly unit: PriceCurrency }) {
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
