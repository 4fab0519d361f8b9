import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../texts.ts'
import { StartButton } from './start-button.tsx'

export function Ending() {
  const t = useTexts(siteTexts)
  return (
    <section className="wrap-1200 flex flex-wrap items-center justify-between gap-6 py-[88px] mobile:py-14">
      <div>
        <h2 className="text-28">{t('end_title')}</h2>
        <p className="mt-1 text-fg-2">{t('end_body')}</p>
      </div>
      <StartButton />
    </section>
  )
}
