import { Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { siteTexts } from '../texts.ts'
import { FEE_PERCENT, feeExample } from './sample.ts'
import { Section } from './section.tsx'

const questions = ['faq_fee', 'faq_refund', 'faq_expire', 'faq_stop', 'faq_data', 'faq_key'] as const

export function Faq() {
  const t = useTexts(siteTexts)
  return (
    <Section id="faq" title={t('faq_title')} beside>
      <div className="border-t-2 border-fg">
        {questions.map((key) => (
          <details key={key} name="faq" open={key === 'faq_fee'} className="group border-b border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 text-18 font-semibold -outline-offset-2 [&::-webkit-details-marker]:hidden">
              {t(key)}
              <Plus size={20} strokeWidth={1.75} className="shrink-0 text-fg-3 transition-transform duration-160 group-open:rotate-45" aria-hidden="true" />
            </summary>
            <div className="max-w-[46em] pb-6 text-fg-2">
              <p>{t(`${key}_body`, { percent: FEE_PERCENT })}</p>
              {key === 'faq_fee' ? <FeeExample /> : null}
            </div>
          </details>
        ))}
      </div>
    </Section>
  )
}

function FeeExample() {
  const t = useTexts(siteTexts)
  return (
    <Receipt look="flat" label={t('faq_fee')} className="mt-4 max-w-[320px]">
      <ReceiptRow label={t('faq_fee_amount')} value={usdDisplay(feeExample.amount)} />
      <ReceiptRow label={t('faq_fee_percent', { percent: FEE_PERCENT })} value={usdDisplay(feeExample.fee)} />
      <ReceiptRule className="my-2" />
      <ReceiptRow strong label={t('faq_fee_total')} value={usdDisplay(feeExample.total)} />
    </Receipt>
  )
}
