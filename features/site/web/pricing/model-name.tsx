import { Link } from '@tanstack/react-router'
import type { ModelRow } from '#features/gateway/contract.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge, Dot } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { pricingTexts } from '../../pricing-texts.ts'
import { formatListPrice, type PriceCurrency } from '../price-figures.ts'

/** Name, id to copy, and retirement notice of a model. The name opens the model's own sheet, which has an address. */
export function ModelName({ row, unit }: { readonly row: ModelRow; readonly unit: PriceCurrency }) {
  const t = useTexts(pricingTexts)
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <Dot color={getVendorColor(row.vendor)} />
        <Link
          to="."
          search={(old: Record<string, unknown>) => ({ ...old, model: row.modelValue })}
          resetScroll={false}
          className="inline-flex min-h-8 min-w-6 items-center font-semibold no-underline underline-offset-4 hover:underline mobile:min-h-[44px]"
        >
          {row.modelName}
        </Link>
        {row.percent === undefined ? null : <Badge tone="success">{t('own', { percent: row.percent })}</Badge>}
      </p>
      <p className="flex items-center gap-0.5 pl-4 text-13 font-normal text-fg-3">
        <code className="num [overflow-wrap:anywhere] whitespace-normal">{row.modelValue}</code>
        <CopyButton iconOnly text={row.modelValue} label={t('copy_id', { id: row.modelValue })} className="-my-2" />
      </p>
      <LifeNotice row={row} className="mt-0.5 pl-4" />
      <PriceNotice row={row} unit={unit} className="mt-0.5 pl-4" />
    </div>
  )
}

/** Announces the next price, input / output, with its date. */
export function PriceNotice({ row, unit, className = '' }: { readonly row: ModelRow; readonly unit: PriceCurrency; readonly className?: string }) {
  const t = useTexts(pricingTexts)
  const next = row.nextPrice
  if (!next) return null
  const day = toShanghaiDay(Date.parse(next.from))
  return (
    <p className={`text-12 font-normal ${className}`}>
      <Badge tone="warning">{t('next_price', { day, input: formatListPrice(next[unit].input, unit), output: formatListPrice(next[unit].output, unit) })}</Badge>
    </p>
  )
}

/** Announces the retirement of a model, its date and its successor. */
export function LifeNotice({ row, className = '' }: { readonly row: ModelRow; readonly className?: string }) {
  const t = useTexts(pricingTexts)
  if (!row.retiresOn && row.lifecycle !== 'deprecated') return null
  return (
    <p className={`flex flex-wrap items-center gap-x-2 gap-y-1 text-12 font-normal text-fg-3 ${className}`}>
      <Badge tone="warning">{row.retiresOn ? t('retires', { day: row.retiresOn }) : t('deprecated')}</Badge>
      {row.successor ? <span>{t('successor', { id: row.successor })}</span> : null}
    </p>
  )
}
