import { Link } from '@tanstack/react-router'
import { CHAT_VENDORS } from '#features/gateway/web/door.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { firstTexts } from '../../first-texts.ts'
import { listCurrentModels } from '../price-figures.ts'
import { usePriceList, useSiteInfo } from '../use-prices.ts'
import { FinePrint } from './fine-print.tsx'
import { StartButton } from './start-button.tsx'
import { Tape } from './tape.tsx'

/** Chart colours 1 to 4 as on ink, in both themes. */
const dots = ['', 'bg-[#56c9a9]', 'bg-[#e8b458]', 'bg-[#8190e8]', 'bg-[#f2798f]']
const delays = ['', '[animation-delay:200ms]', '[animation-delay:400ms]']
const NAMES = 3

/** First screen, ink in both themes; the header stays black until this is scrolled past. */
export function Hero() {
  const t = useTexts(firstTexts)
  const rows = usePriceList().data?.rowList ?? []
  const info = useSiteInfo().data
  return (
    <section data-banner className="on-ink bg-ink text-ink-fg">
      <div className="wrap-1200 grid items-center gap-14 py-24 desktop:grid-cols-[minmax(0,1.1fr)_minmax(0,.9fr)] desktop:pt-[92px] desktop:pb-[84px] mobile:gap-11 mobile:pt-10 mobile:pb-12">
        <div className="min-w-0">
          <h1 className="display text-[clamp(40px,5.2vw,72px)] leading-[1.12] mobile:text-[clamp(34px,10.4vw,44px)]">
            <span className="block">{t('hero_1')}</span>
            <span className="block">{t('hero_2')}</span>
          </h1>
          <p className="mt-5 max-w-[32em] text-18 text-ink-fg-2 mobile:text-16">
            <span className="block">{t('hero_lead_1')}</span>
            <span className="block">{t('hero_lead_2')}</span>
          </p>
          <ul aria-label={t('hero_vendors')} className="mt-7 max-w-[560px] border-t border-ink-line text-14">
            {CHAT_VENDORS.map(({ id, label, color }, index) => (
              <li key={id} className={`print-line flex min-h-11 items-center gap-3 border-b border-ink-line ${delays[index] ?? ''}`}>
                <span className={`size-2 shrink-0 rounded-full ${dots[color] ?? 'bg-ink-fg-2'}`} aria-hidden="true" />
                <span className="w-[5.2em] shrink-0 font-semibold">{label}</span>
                <span className="min-w-0 truncate text-ink-fg-2">
                  {listCurrentModels(rows, id)
                    .slice(0, NAMES)
                    .map((row) => row.modelName)
                    .join(' / ')}
                </span>
              </li>
            ))}
          </ul>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton variant="ink" />
            <Link to="/pricing" className={getButtonClass('ink-ghost', 'lg')}>
              {t('hero_prices')}
            </Link>
          </div>
          <FinePrint info={info} />
        </div>
        <Tape rows={rows} />
      </div>
    </section>
  )
}
