import { X } from 'lucide-react'
import type { ModelRow } from '#features/gateway/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/dot.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { formatLength, formatListPrice, type PriceCurrency } from '../price-figures.ts'
import { estimateLongTalk } from './estimate.ts'

interface CompareProps {
  readonly rows: readonly ModelRow[]
  readonly unit: PriceCurrency
  readonly rate: string
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** Up to three models as receipts side by side: the same lines at the same height. */
export function Compare({ rows, unit, rate, onRemove, onClear }: CompareProps) {
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
