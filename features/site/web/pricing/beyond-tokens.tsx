import type { ModelRow } from '#features/gateway/contract.ts'
import { PRICE_FACTORS, listToolPrices } from '#features/gateway/contract-units.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { formatListPrice, type PriceCurrency } from '../price-figures.ts'
import { SITE_CLASS_TEXT, SITE_PER_TEXT } from '../../pricing-state-texts.ts'

const FACTOR_TEXT = { flex: 'factor_flex', priority: 'factor_priority', fast: 'factor_fast', us: 'factor_us' } as const

/** Charges beyond tokens: the vendor's own tools, and tiers that multiply the prices above. They apply only on request. */
export function BeyondTokens({ row, unit }: { readonly row: ModelRow; readonly unit: PriceCurrency }) {
  const t = useTexts(pricingTexts)
  const tools = listToolPrices(row.prices[unit])
  const factors = PRICE_FACTORS.flatMap((name) => (row.factors?.[name] === undefined ? [] : [{ name, factor: row.factors[name] }]))
  if (tools.length + factors.length === 0) return null
  return (
    <>
      <ReceiptRule />
      {tools.map(({ name, unit: per, price }) => (
        <ReceiptRow key={name} label={t(SITE_CLASS_TEXT[name])} value={t(SITE_PER_TEXT[per], { price: formatListPrice(price, unit) })} />
      ))}
      {factors.map(({ name, factor }) => (
        <ReceiptRow key={name} label={t(FACTOR_TEXT[name])} value={t('factor_value', { factor })} />
      ))}
    </>
  )
}
