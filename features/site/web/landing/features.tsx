import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Leader } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'
import { usePriceList } from '../use-prices.ts'
import { Section } from './section.tsx'

const BODY_TEXT = { feat_limit: 'feat_limit_body', feat_safe: 'feat_safe_body', feat_pay: 'feat_pay_body', feat_new: 'feat_new_body' } as const
const LINE_TEXT = { feat_limit: 'feat_limit_line', feat_safe: 'feat_safe_line', feat_pay: 'feat_pay_line', feat_new: 'feat_new_line' } as const

const features = ['feat_limit', 'feat_safe', 'feat_pay', 'feat_new'] as const

/** A row of features separated by rules instead of cards; each ends in its own receipt line. */
export function Features() {
  const t = useTexts(siteTexts)
  const count = usePriceList().data?.rowList.length
  const facts: Record<(typeof features)[number], ReactNode> = {
    feat_limit: t('feat_limit_value'),
    feat_safe: 'sk·······9f3a',
    feat_pay: '$0.00',
    feat_new: count === undefined ? '–' : t('feat_new_value', { count }),
  }
  return (
    <Section id="features" title={t('feat_title')}>
      <ul className="grid border-t-2 border-fg desktop:grid-cols-4">
        {features.map((key) => (
          <li
            key={key}
            className="flex flex-col border-line py-6 desktop:border-l desktop:px-5 desktop:first:border-l-0 desktop:first:pl-0 desktop:last:pr-0 mobile:border-b mobile:py-5"
          >
            <h3 className="text-18 font-bold">{t(key)}</h3>
            <p className="mt-1.5 flex-1 text-16 text-fg-2">{t(BODY_TEXT[key])}</p>
            <p className="receipt-row mt-4 text-13 text-fg-3">
              <span className="shrink-0">{t(LINE_TEXT[key])}</span>
              <Leader />
              <span className="num text-fg">{facts[key]}</span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
