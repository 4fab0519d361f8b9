import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { pricingTexts } from '../../pricing-texts.ts'
import { usePriceList } from '../use-prices.ts'

const BODY_TEXT = {
  rule_unit: 'rule_unit_body',
  rule_failed: 'rule_failed_body',
  rule_stop: 'rule_stop_body',
  rule_whole: 'rule_whole_body',
  rule_retire: 'rule_retire_body',
} as const

const rules = ['rule_unit', 'rule_failed', 'rule_stop', 'rule_whole', 'rule_retire'] as const

/** Rules of what is charged and what is not (decisions, "The model API"), next to the prices. */
export function PricingRules() {
  const t = useTexts(pricingTexts)
  const { data } = usePriceList()
  return (
    <section aria-labelledby="rules" className="mt-14 grid gap-x-10 gap-y-4 desktop:grid-cols-[minmax(0,.5fr)_minmax(0,1.5fr)] mobile:mt-10">
      <h2 id="rules" className="text-28 mobile:text-20">
        {t('rules')}
      </h2>
      <div>
        <dl className="border-t-2 border-fg">
          {rules.map((key) => (
            <div key={key} className="grid gap-x-8 border-b border-line py-4 desktop:grid-cols-[180px_minmax(0,1fr)]">
              <dt className="font-semibold">{t(key)}</dt>
              <dd className="text-fg-2">{t(BODY_TEXT[key], { minutes: data ? String(data.readOnMinutes) : '…' })}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-14 text-fg-3">
          {t('rules_more')}{' '}
          <Link to="/help" className="link">
            {t('rules_help')}
          </Link>
        </p>
      </div>
    </section>
  )
}
