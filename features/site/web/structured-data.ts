import { gatewayContract, type ModelRow } from '#features/gateway/contract.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import { siteContract, type SiteInfo } from '../contract.ts'
import { firstTexts } from '../first-texts.ts'
import { siteTexts } from '../texts.ts'
import { questions } from './landing/questions.ts'
import type { HeadFacts } from './public-page.ts'

// Structured data for search engines (schema.org). All figures also appear on the page.

const listChatRows = ({ data }: HeadFacts) => (data[gatewayContract.modelPrice.path] as { rowList: ModelRow[] }).rowList.filter((row) => row.kind === 'chat')

export function buildLandingData(facts: HeadFacts): readonly object[] {
  const { lang, origin, url, site, data } = facts
  const name = lang === 'zh' ? site.brandZh : site.brand
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

export function buildPricingData(facts: HeadFacts): readonly object[] {
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
