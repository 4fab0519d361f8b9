import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { buttonClass } from '#ui/button.tsx'
import { siteTexts } from '../texts.ts'
import { FEE_PERCENT, MIN_RECHARGE } from './sample.ts'
import { StartButton } from './start-button.tsx'
import { Tape } from './tape.tsx'

const vendors = [
  { name: 'OpenAI', dot: 'bg-[#56c9a9]', delay: '' },
  { name: 'Claude', dot: 'bg-[#e8b458]', delay: '[animation-delay:200ms]' },
  { name: 'Gemini', dot: 'bg-[#8190e8]', delay: '[animation-delay:400ms]' },
]

/** Ink in both themes; the header stays black until this is scrolled past. */
export function Hero() {
  const t = useTexts(siteTexts)
  return (
    <section data-banner className="on-ink bg-ink text-ink-fg">
      <div className="wrap-1200 grid items-center gap-14 py-24 desktop:grid-cols-[minmax(0,1.1fr)_minmax(0,.9fr)] desktop:py-[104px] mobile:gap-10 mobile:pt-10 mobile:pb-16">
        <div>
          <h1 className="display text-[clamp(40px,5.2vw,72px)] leading-[1.12] mobile:text-[clamp(34px,10.4vw,44px)]">
            <span className="block">{t('hero_1')}</span>
            <span className="block">{t('hero_2')}</span>
          </h1>
          <ul aria-label={t('hero_vendors')} className="mt-6 flex flex-wrap gap-x-6 gap-y-1 text-18 font-medium">
            {vendors.map((vendor) => (
              <li key={vendor.name} className={`print-line inline-flex items-center gap-2.5 ${vendor.delay}`}>
                <span className={`size-2.5 rounded-full ${vendor.dot}`} aria-hidden="true" />
                {vendor.name}
              </li>
            ))}
          </ul>
          <p className="mt-4 text-18 text-ink-fg-2 mobile:text-16">
            <span className="block">{t('hero_lead_1')}</span>
            <span className="block">{t('hero_lead_2')}</span>
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton variant="ink" />
            <Link to="/api" search={{ tab: 'pricing' }} className={buttonClass('ink-ghost', 'lg')}>
              {t('hero_prices')}
            </Link>
          </div>
          <p className="mt-6 text-13 text-ink-fg-3">{t('hero_fine', { min: MIN_RECHARGE, percent: FEE_PERCENT })}</p>
        </div>
        <Tape />
      </div>
    </section>
  )
}
