import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../../texts.ts'
import { useSiteInfo } from '../use-prices.ts'
import { StartButton } from './start-button.tsx'

/** End of the page: an ink-coloured section with a torn edge like a receipt. */
export function LandingEnding({ to }: { readonly to?: '/api' | '/service' }) {
  const t = useTexts(siteTexts)
  const info = useSiteInfo().data
  return (
    <section aria-labelledby="end-title" className="torn-top on-ink mt-[88px] bg-ink text-ink-fg mobile:mt-14">
      <div className="wrap-1200 flex flex-wrap items-center justify-between gap-8 pt-20 pb-[72px] mobile:pt-14 mobile:pb-12">
        <div>
          <h2 id="end-title" className="text-40 mobile:text-28">
            {t('end_title', { min: info?.minRecharge ?? '–' })}
          </h2>
          <p className="mt-2 text-ink-fg-2">{t('end_body')}</p>
        </div>
        <StartButton variant="ink" to={to} />
      </div>
    </section>
  )
}
