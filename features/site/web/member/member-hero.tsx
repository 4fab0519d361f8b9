import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../../texts.ts'
import { FinePrint } from '../landing/fine-print.tsx'
import { StartButton } from '../landing/start-button.tsx'
import { Tape } from '../landing/tape.tsx'
import { usePriceList, useSiteInfo } from '../use-prices.ts'
import { useTyped } from './use-typed.ts'

const words = ['typed_1', 'typed_2', 'typed_3', 'typed_4', 'typed_5'] as const

/** Types and deletes the names of the subscriptions in turn; screen readers get the list once. */
export function MemberHero() {
  const t = useTexts(siteTexts)
  const rows = usePriceList().data?.rowList ?? []
  const info = useSiteInfo().data
  const list = words.map((key) => t(key))
  const typed = useTyped(list)
  return (
    <section data-banner className="on-ink bg-ink text-ink-fg">
      <div className="wrap-1200 grid items-center gap-14 py-24 desktop:grid-cols-[minmax(0,1.1fr)_minmax(0,.9fr)] desktop:pt-[92px] desktop:pb-[84px] mobile:gap-11 mobile:pt-10 mobile:pb-12">
        <div className="min-w-0">
          <h1 className="display text-[clamp(40px,5.2vw,72px)] leading-[1.12] mobile:text-[clamp(34px,10.4vw,44px)]">
            <span className="block">{t('member_title')}</span>
            <span className="sr-only">{list.join(t('member_comma'))}</span>
            <span className="block min-h-[1.12em] whitespace-nowrap text-ink-accent" aria-hidden="true">
              {typed}
              <span className="caret" />
            </span>
          </h1>
          <p className="mt-5 max-w-[30em] text-balance text-18 text-ink-fg-2 mobile:text-16">{t('member_lead')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton variant="ink" to="/service" />
          </div>
          <FinePrint info={info} />
        </div>
        <Tape rows={rows} />
      </div>
    </section>
  )
}
