import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Leader } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'
import { usePrices } from '../use-prices.ts'
import { Section } from './section.tsx'

const features = ['feat_limit', 'feat_safe', 'feat_pay', 'feat_new'] as const

/** A ruled row, not cards; each ends in its own receipt line. */
export function Features() {
  const t = useTexts(siteTexts)
  const count = usePrices().data?.rowList.length
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
            <p className="mt-1.5 flex-1 text-16 text-fg-2">{t(`${key}_body`)}</p>
            <p className="receipt-row mt-4 text-13 text-fg-3">
              <span className="shrink-0">{t(`${key}_line`)}</span>
              <Leader />
              <span className="num text-fg">{facts[key]}</span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
