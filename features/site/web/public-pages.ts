import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { servicesContract } from '#features/services/contract.ts'
import type { Messages } from '#platform/shared/texts.ts'
import { siteContract } from '../contract.ts'
import type { SiteInfo } from '../contract.ts'
import { compatTexts } from '../compat-texts.ts'
import { firstTexts } from '../first-texts.ts'
import { legalTexts } from '../legal-texts.ts'
import { serviceTexts } from '../service-texts.ts'
import { siteTexts } from '../texts.ts'
import results from './compatibility/results.json' with { type: 'json' }
import { helpPages } from './help/public-pages.ts'
import type { PublicPage } from './public-page.ts'
import { landings } from './services.ts'
import { landingFacts, pricingFacts } from './structured-data.ts'
import { SITE_LAND_LEAD_TEXT, SITE_SVC_TEXT } from '../service-state-texts.ts'

const LANDING = 'features/site/web/landing.tsx'
const BELOW = 'features/site/web/landing/below.tsx'
const MEMBER = 'features/site/web/member/member.tsx'

const both = (texts: { readonly zh: Messages; readonly en: Messages }, key: string) => ({ zh: texts.zh[key]!, en: texts.en[key]! })

/** Every prerendered page; a new one gets its entry here, a path in apps/web/lang-path.ts and a route in apps/web/router.tsx. */
export const publicPages: readonly PublicPage[] = [
  {
    path: '/',
    title: both(firstTexts, 'page_title'),
    description: both(firstTexts, 'page_about'),
    calls: [siteContract.siteInfo, gatewayContract.modelPrice, paymentsContract.exchangeRate],
    chunks: (data) => [LANDING, (data[siteContract.siteInfo.path] as SiteInfo).landing === 'member' ? MEMBER : BELOW],
    jsonLd: landingFacts,
  },
  {
    path: '/pricing',
    title: both(siteTexts, 'pricing_title'),
    description: both(siteTexts, 'pricing_about'),
    calls: [gatewayContract.modelPrice],
    chunks: ['features/site/web/pricing/pricing-page.tsx'],
    jsonLd: pricingFacts,
  },
  {
    path: '/service',
    title: both(serviceTexts, 'title'),
    description: both(serviceTexts, 'about'),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-page.tsx'],
  },
  ...landings.map(({ id }): PublicPage => ({
    path: `/service/${id}`,
    title: both(serviceTexts, SITE_SVC_TEXT[id]),
    description: both(serviceTexts, SITE_LAND_LEAD_TEXT[id]),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-landing.tsx'],
  })),
  {
    path: '/compatibility',
    title: both(compatTexts, 'title'),
    description: both(compatTexts, 'about'),
    chunks: ['features/site/web/compatibility/compatibility-page.tsx'],
    updated: results.on,
  },
  {
    path: '/terms',
    title: both(legalTexts, 'terms_title'),
    description: both(siteTexts, 'terms_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/privacy',
    title: both(legalTexts, 'privacy_title'),
    description: both(siteTexts, 'privacy_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/protocol',
    title: both(legalTexts, 'protocol_title'),
    description: both(legalTexts, 'protocol_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/protocol.tsx'],
  },
  ...helpPages,
]
