import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { siteTexts } from '../texts.ts'
import type { PriceCurrency } from './price-figures.ts'

export function UnitToggle({ value, onChange }: { readonly value: PriceCurrency; readonly onChange: (unit: PriceCurrency) => void }) {
  const t = useTexts(siteTexts)
  return (
    <Segmented
      label={t('price_unit')}
      value={value}
      onChange={onChange}
      items={[
        { value: 'usd', label: <Sign text="$" name={t('price_usd')} /> },
        { value: 'cny', label: <Sign text="¥" name={t('price_cny')} /> },
      ]}
    />
  )
}

function Sign({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <>
      <span aria-hidden="true" className="num px-1">
        {text}
      </span>
      <span className="sr-only">{name}</span>
    </>
  )
}
