import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { AutoMethod } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
import { cleanAmount } from '../pay/amount.ts'
import { formatFeeTerms } from '../fee-words.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { computeAutoPrice } from './auto-form.ts'
import type { AutoForm } from './auto-form.ts'

const NONE = '—'
const LINES = ['auto_consent_1', 'auto_consent_2', 'auto_consent_3', 'auto_consent_4'] as const

/** Today's price of a charge, and the full text of the consent, with the figures in the form. */
export function AutoConsent({ form, method }: { readonly form: AutoForm; readonly method: AutoMethod }) {
  const t = useTexts(autoTexts)
  const price = computeAutoPrice(form.amount, method)
  const dollars = (text: string) => {
    const clean = cleanAmount(text)
    return clean === undefined ? NONE : displayUsd(clean)
  }
  const pay = price ? payDisplay(price.payAmount, method.payCurrency) : NONE
  const values = {
    threshold: dollars(form.threshold),
    amount: dollars(form.amount),
    day: dollars(form.dayMost),
    month: dollars(form.monthMost),
    method: method.name,
    pay,
  }
  return (
    <>
      <Receipt look="flat" label={t('auto_price')}>
        <ReceiptRow label={t('auto_line_amount')} value={values.amount} />
        <ReceiptRow label={t('auto_line_fee', { fee: formatFeeTerms(method) })} value={price ? displayUsd(price.fee) : NONE} />
        <ReceiptRow label={t('auto_line_total')} value={price ? displayUsd(price.total) : NONE} />
        <ReceiptRule />
        <ReceiptRow
          label={t('auto_line_pay')}
          value={pay}
          strong
          {...(method.payCurrency === 'CNY' ? { note: t('auto_line_rate', { rate: method.rate }) } : {})}
        />
      </Receipt>
      <section aria-label={t('auto_consent_title')} className="rounded-control border border-line bg-sunken px-4 py-3 text-13 text-fg-2">
        <h3 className="font-medium text-fg">{t('auto_consent_title')}</h3>
        <ol className="mt-1 list-decimal space-y-1 pl-5">
          {LINES.map((line) => (
            <li key={line}>{t(line, values)}</li>
          ))}
        </ol>
      </section>
    </>
  )
}
