import { gatewayContract } from '#features/gateway/contract.ts'
import type { ModelRow } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { servicesContract } from '#features/services/contract.ts'
import { fill, type Texts } from '#platform/shared/texts.ts'
import { siteContract } from '../contract.ts'
import type { SiteInfo } from '../contract.ts'
import { compatTexts } from '../compat-texts.ts'
import { firstTexts } from '../first-texts.ts'
import { legalTexts } from '../legal-texts.ts'
import { siteServiceTexts } from '../service-texts.ts'
import { siteTexts } from '../texts.ts'
import results from './compatibility/results.json' with { type: 'json' }
import { helpPages } from './help/public-pages.ts'
import type { PublicPage, HeadFacts } from './public-page.ts'
import { landings } from './services.ts'
import { SITE_LAND_LEAD_TEXT, SITE_SVC_TEXT } from '../service-state-texts.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { questions } from './landing/questions.ts'
import { chooseBrand } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

// Structured data for search engines (schema.org). All figures also appear on the page.

const listChatRows = ({ data }: HeadFacts) => (data[gatewayContract.modelPrice.path] as { rowList: ModelRow[] }).rowList.filter((row) => row.kind === 'chat')

function buildLandingData(facts: HeadFacts): readonly object[] {
  const { lang, origin, url, site, data } = facts
  const name = chooseBrand(lang, site)
  const percent = (data[siteContract.siteInfo.path] as SiteInfo).feePercent
  const t = (key: string) => fill(({ ...firstTexts[lang], ...siteTexts[lang] } as Readonly<Record<string, string>>)[key] ?? '', { percent })
  const prices = listChatRows(facts)
    .map((row) => row.prices.usd.input)
    .sort((a, b) => Number(parseUsd(a) > parseUsd(b)) - Number(parseUsd(a) < parseUsd(b)))
  return [
    { '@type': 'Organization', 'name': site.company, 'brand': name, 'url': origin, 'logo': `${origin}/favicon.svg`, 'email': site.supportEmail },
    {
      '@type': 'Product',
      name,
      'description': t('page_about'),
      'image': `${origin}/social-${lang}.png`,
      'brand': { '@type': 'Brand', name },
      'offers': { '@type': 'AggregateOffer', 'priceCurrency': 'USD', 'lowPrice': prices[0], 'highPrice': prices.at(-1), 'offerCount': prices.length, url },
    },
    {
      '@type': 'FAQPage',
      'mainEntity': questions.map(([key, answer]) => ({ '@type': 'Question', 'name': t(key), 'acceptedAnswer': { '@type': 'Answer', 'text': t(answer) } })),
    },
  ]
}

function buildPricingData(facts: HeadFacts): readonly object[] {
  const { url } = facts
  return [
    {
      '@type': 'ItemList',
      'itemListElement': listChatRows(facts).map((row, at) => ({
        '@type': 'ListItem',
        'position': at + 1,
        'item': {
          '@type': 'Product',
          'name': row.modelName,
          'sku': row.modelValue,
          'brand': { '@type': 'Brand', 'name': row.vendor },
          'url': `${url}?model=${encodeURIComponent(row.modelValue)}`,
          'offers': {
            '@type': 'Offer',
            'price': row.prices.usd.input,
            'priceCurrency': 'USD',
            'availability': 'https://schema.org/InStock',
            'priceSpecification': {
              '@type': 'UnitPriceSpecification',
              'price': row.prices.usd.input,
              'priceCurrency': 'USD',
              'referenceQuantity': { '@type': 'QuantitativeValue', 'value': 1_000_000, 'unitText': 'input tokens' },
            },
          },
        },
      })),
    },
  ]
}

const LANDING = 'features/site/web/landing.tsx'
const BELOW = 'features/site/web/landing/below.tsx'
const MEMBER = 'features/site/web/member/member.tsx'

const inEachLanguage = <K extends string>(texts: Texts<K>, key: K) => mapLangs((lang) => texts[lang][key])

/** Every prerendered page; a new one gets its entry here, a path in apps/web/lang-path.ts and a route in apps/web/router.tsx. */
export const publicPages: readonly PublicPage[] = [
  {
    path: '/',
    title: inEachLanguage(firstTexts, 'page_title'),
    description: inEachLanguage(firstTexts, 'page_about'),
    calls: [siteContract.siteInfo, gatewayContract.modelPrice, paymentsContract.exchangeRate],
    chunks: (data) => [LANDING, (data[siteContract.siteInfo.path] as SiteInfo).landing === 'member' ? MEMBER : BELOW],
    jsonLd: buildLandingData,
  },
  {
    path: '/pricing',
    title: inEachLanguage(siteTexts, 'pricing_title'),
    description: inEachLanguage(siteTexts, 'pricing_about'),
    calls: [gatewayContract.modelPrice],
    chunks: ['features/site/web/pricing/pricing-page.tsx'],
    jsonLd: buildPricingData,
  },
  {
    path: '/service',
    title: inEachLanguage(siteServiceTexts, 'title'),
    description: inEachLanguage(siteServiceTexts, 'about'),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-page.tsx'],
  },
  ...landings.map(({ id }): PublicPage => ({
    path: `/service/${id}`,
    title: inEachLanguage(siteServiceTexts, SITE_SVC_TEXT[id]),
    description: inEachLanguage(siteServiceTexts, SITE_LAND_LEAD_TEXT[id]),
    calls: [servicesContract.serviceCatalogue],
    chunks: ['features/site/web/service/service-landing.tsx'],
  })),
  {
    path: '/compatibility',
    title: inEachLanguage(compatTexts, 'title'),
    description: inEachLanguage(compatTexts, 'about'),
    chunks: ['features/site/web/compatibility/compatibility-page.tsx'],
    updated: results.on,
  },
  {
    path: '/terms',
    title: inEachLanguage(legalTexts, 'terms_title'),
    description: inEachLanguage(siteTexts, 'terms_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/privacy',
    title: inEachLanguage(legalTexts, 'privacy_title'),
    description: inEachLanguage(siteTexts, 'privacy_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/legal.tsx'],
  },
  {
    path: '/protocol',
    title: inEachLanguage(legalTexts, 'protocol_title'),
    description: inEachLanguage(legalTexts, 'protocol_about'),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/protocol.tsx'],
  },
  ...helpPages,
]
