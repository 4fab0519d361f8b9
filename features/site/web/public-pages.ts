import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { servicesContract } from '#features/services/contract.ts'
import type { Messages } from '#platform/shared/texts.ts'
import { siteContract } from '../contract.ts'
import type { SiteInfo } from '../contract.ts'
import { compatTexts } from '../compat-texts.ts'
import { firstTexts } from '../first-texts.ts'
import { legalTexts } from '../legal-texts.ts'
import { siteServiceTexts } from '../service-texts.ts'
import { siteTexts } from '../texts.ts'
import results from './compatibility/results.json' with { type: 'json' }
import { helpPages } from './help/public-pages.ts'
import type { PublicPage } from './public-page.ts'
import { landings } from './services.ts'
import { buildLandingData, buildPricingData } from './structured-data.ts'
import { SITE_LAND_LEAD_TEXT, SITE_SVC_TEXT } from '../service-state-texts.ts'

const LANDING = 'features/site/web/landing.tsx'
const BELOW = 'features/site/web/landing/below.tsx'
const MEMBER = 'features/site/web/member/member.tsx'

const inBothLanguages = (texts: { readonly zh: Messages; readonly en: Messages }, key: string) => ({ zh: texts.zh[key]!, en: texts.en[key]! })

/** Every prerendered page; a new one gets its entry here, a path in apps/web/lang-path.ts and a route in apps/web/router.tsx. */
export const publicPages: readonly PublicPage[] = [
  {
    path: '/',
    title: inBothLanguages(firstTexts, 'page_title'),
    description: inBothLanguages(firstTexts, 'page_about'),
    calls: [siteContract.siteInfo, gatewayContract.modelPrice, paymentsContract.exchangeRate],
    chunks: (data) => [LANDING, (data[siteContract.siteInfo.path] as SiteInfo).landing === 'member' ? MEMBER : BELOW],
    jsonLd: buildLandingData,
  },
  {
    path: '/pricing',
    title: inBothLanguages(siteTexts, 'pricing_title'),
    description: inBothLanguages(siteTexts, 'pricing_about'),
    calls: [gatewayContract.modelPrice],
    chunks: ['features/site/web/pricing/pricing-page.tsx'],
    jsonLd: buildPricingData,
  },
  {
    path: '/service',
    title: inBothLanguages(siteServiceTexts, 'title'),
    description: inBothLanguages(siteServiceTexts, 'about'),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-page.tsx'],
  },
  ...landings.map(({ id }): PublicPage => ({
    path: `/service/${id}`,
    title: inBothLanguages(siteServiceTexts, SITE_SVC_TEXT[id]),
    description: inBothLanguages(siteServiceTexts, SITE_LAND_LEAD_TEXT[id]),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-landing.tsx'],
  })),
  {
    path: '/compatibility',
    title: inBothLanguages(compatTexts, 'title'),
    description: inBothLanguages(compatTexts, 'about'),
    chunks: ['features/site/web/compatibility/compatibility-page.tsx'],
    updated: results.on,
  },
  {
    path: '/terms',
    title: inBothLanguages(legalTexts, 'terms_title'),
    description: inBothLanguages(siteTexts, 'terms_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/privacy',
    title: inBothLanguages(legalTexts, 'privacy_title'),
    description: inBothLanguages(siteTexts, 'privacy_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/protocol',
    title: inBothLanguages(legalTexts, 'protocol_title'),
    description: inBothLanguages(legalTexts, 'protocol_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/protocol.tsx'],
  },
  ...helpPages,
]
