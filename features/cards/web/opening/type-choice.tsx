import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { CARD_TYPES } from '../../words.ts'
import type { CardType } from '../../words.ts'
import { useCardAmount } from '../use-cards.ts'
import { RadioCards } from './first-steps.tsx'
import { openingTexts } from './texts.ts'

/** Standard or Pro, side by side with price, years and what each pays for. The choice stands in the address. */
export function TypeChoice({ type, isFirst }: { readonly type: CardType; readonly isFirst: boolean }) {
  const t = useTexts(openingTexts)
  const amount = useCardAmount().data
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const choose = (next: string) => void navigate({ to: '.', search: { ...search, type: next }, replace: true })
  if (!amount) return null
  const price = displayUsd(isFirst ? amount.openAccount : amount.multipleCard)
  const about = {
    standard: t('type_standard_about', { years: amount.standardYears, price }),
    pro: t('type_pro_about', { years: amount.proYears, price: displayUsd(amount.proCard) }),
  }
  const title = { standard: t('kind_standard'), pro: t('kind_pro') }
  return (
    <section aria-labelledby="card-type" className="mb-6">
      <h2 id="card-type" className="mb-2 text-14 font-semibold">
        {t('type_title')}
      </h2>
      <RadioCards
        name="card-type"
        label={t('type_title')}
        value={type}
        onChange={choose}
        options={CARD_TYPES.map((one) => ({ value: one, title: title[one], about: about[one] }))}
      />
      <p className="text-13 text-fg-3">{t('type_fixed')}</p>
    </section>
  )
}
