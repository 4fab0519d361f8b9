import { computePayFigures } from './pay-figures.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { firstTexts } from '../../first-texts.ts'
import { siteTexts } from '../../texts.ts'
import { useRate, useSiteInfo } from '../use-prices.ts'

const AMOUNT = '20'

/** Example of a top-up with today's fee and rate, calculated as for an order. */
export function Payment() {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  const info = useSiteInfo().data
  const rate = useRate().data?.rate
  const figures = info && rate ? computePayFigures(AMOUNT, info.feePercent, rate) : undefined
  return (
    <section aria-labelledby="pay-title" className="mt-[88px] border-y border-line bg-sunken mobile:mt-14">
      <div className="wrap-1200 grid items-center gap-x-16 gap-y-10 py-[72px] desktop:grid-cols-[minmax(0,1fr)_minmax(0,400px)] mobile:py-12">
        <div>
          <h2 id="pay-title" className="text-40 mobile:text-28">
            <span className="block">{t('pay_title_1')}</span>
            <span className="block">{t('pay_title_2')}</span>
          </h2>
          <ul className="mt-6 grid max-w-[34em] gap-3 text-fg-2">
            {(['pay_point_1', 'pay_point_2', 'pay_point_3'] as const).map((key) => (
              <li key={key} className="flex gap-3">
                <span className="mt-[11px] h-px w-4 shrink-0 bg-brand" aria-hidden="true" />
                {t(key)}
              </li>
            ))}
          </ul>
        </div>
        <div className="receipt-shadow relative">
          <Receipt label={t('pay_receipt')} className="min-h-[268px]">
            {figures ? (
              <>
                <p className="flex items-baseline gap-2 text-14 font-semibold">
                  {t('pay_receipt')}
                  <span className="rounded-tag border border-paper-line px-1.5 whitespace-nowrap text-12 font-normal text-paper-fg-2">{f('tape_sample')}</span>
                </p>
                <ReceiptRule className="my-3" />
                <ReceiptRow label={t('faq_fee_amount')} value={displayUsd(AMOUNT)} />
                <ReceiptRow label={t('faq_fee_percent', { percent: info!.feePercent })} value={displayUsd(figures.fee)} />
                <ReceiptRow label={t('pay_rate')} value={rate} />
                <ReceiptRule className="my-3" />
                <ReceiptRow strong label={t('faq_fee_total')} value={displayCny(figures.yuan)} />
                <p className="mt-3 h-12" aria-hidden="true">
                  <Stamp />
                </p>
              </>
            ) : null}
          </Receipt>
        </div>
      </div>
    </section>
  )
}
