import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { siteTexts } from '../texts.ts'
import { Ending } from './ending.tsx'
import { Faq } from './faq.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import { Prices } from './prices.tsx'
import { Steps } from './steps.tsx'

export function LandingPage() {
  const t = useTexts(siteTexts)
  useTitle(t('page_title'))
  return (
    <>
      <Hero />
      <Features />
      <Prices />
      <Steps />
      <Faq />
      <Ending />
    </>
  )
}
