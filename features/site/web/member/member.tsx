import { LandingEnding } from '../landing/ending.tsx'
import { Faq } from '../landing/faq.tsx'
import { Features } from '../landing/features.tsx'
import { LandingPrices } from '../landing/prices.tsx'
import { Section } from '../landing/section.tsx'
import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../../texts.ts'
import { Ledger } from '../service/ledger.tsx'
import { services } from '../services.ts'
import { useSiteInfo } from '../use-prices.ts'
import { Logos } from './logos.tsx'
import { MemberCards } from './member-cards.tsx'
import { MemberHero } from './member-hero.tsx'
import { Reviews } from './reviews.tsx'

/** The landing page of the whole house: services first, the API among them. */
export function MemberLanding() {
  const t = useTexts(siteTexts)
  const info = useSiteInfo().data
  return (
    <>
      <MemberHero />
      {info?.logos.length ? <Logos logos={info.logos} /> : null}
      <MemberCards />
      <Section id="services" title={t('member_services')} lead={t('member_services_lead')}>
        <Ledger list={services} />
      </Section>
      <LandingPrices />
      <Features />
      {info?.reviews.length ? <Reviews reviews={info.reviews} /> : null}
      <Faq />
      <LandingEnding to="/service" />
    </>
  )
}
