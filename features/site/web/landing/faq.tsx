import { Plus } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'
import { useSiteInfo } from '../use-prices.ts'
import { computePayFigures } from './pay-figures.ts'
import { questions } from './questions.ts'
import { Section } from './section.tsx'

export function Faq() {
  const t = useTexts(siteTexts)
  const percent = useSiteInfo().data?.feePercent
  return (
    <Section
      id="faq"
      title={t('faq_title')}
      beside
      lead={
        <>
          {t('faq_more')}{' '}
          <Link to="/help" className="link">
            {t('faq_help')}
          </Link>
        </>
      }
    >
      <div className="border-t-2 border-fg">
        {questions.map(([key, answer]) => (
          <details key={key} name="faq" open={key === 'faq_fee'} className="group border-b border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 text-18 font-semibold -outline-offset-2 [&::-webkit-details-marker]:hidden">
              {t(key)}
              <Plus size={20} strokeWidth={1.75} className="shrink-0 text-fg-3 transition-transform duration-160 group-open:rotate-45" aria-hidden="true" />
            </summary>
            <div className="max-w-[46em] pb-6 text-fg-2">
              <p>{t(answer, { percent: percent ?? '–' })}</p>
              {key === 'faq_fee' && percent ? <FeeExample percent={percent} /> : null}
            </div>
          </details>
        ))}
      </div>
    </Section>
  )
}

const AMOUNT = '20'

function FeeExample({ percent }: { readonly percent: string }) {
  const t = useTexts(siteTexts)
  const { fee, total } = computePayFigures(AMOUNT, percent, '1')
  return (
    <Receipt look="flat" label={t('faq_fee')} className="mt-4 max-w-[320px]">
      <ReceiptRow label={t('faq_fee_amount')} value={displayUsd(AMOUNT)} />
      <ReceiptRow label={t('faq_fee_percent', { percent })} value={displayUsd(fee)} />
      <ReceiptRule className="my-2" />
      <ReceiptRow strong label={t('faq_fee_total')} value={displayUsd(total)} />
    </Receipt>
  )
}
