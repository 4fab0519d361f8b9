import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LangContext } from '#platform/web/i18n.ts'
import en from '../../help/content/en/recharge.md?raw'
import zh from '../../help/content/zh/recharge.md?raw'
import { parseArticle } from '../../help/parse.ts'
import { Blocks } from './blocks.tsx'

const FIGURES = { top_up_fee: '4.1', fee_provider: '3.2', fee_conversion: '1.7', fee_check: '0.07', fee_own: '0.9' }

test.each([
  ['zh', zh, ['手续费是金额的 4.1%', '支付渠道收 3.2%', '1.7% 的国际兑换费', '0.07 美元的风控检查', '本站收 0.9%']],
  ['en', en, ['The fee is 4.1%', 'payment provider takes 3.2%', '1.7% for currency conversion', '$0.07 per payment for fraud checks', 'We keep 0.9%']],
] as const)('%s: the help article shows the four parts of the fee, each from its setting', (lang, source, parts) => {
  const { blocks } = parseArticle('recharge', source, () => [])
  const from = blocks.findIndex((block) => block.kind === 'heading' && block.id === 'cost')
  const to = blocks.findIndex((block, at) => at > from && block.kind === 'heading')
  const facts = { origin: 'https://site.test', host: 'site.test', brand: 'Mingxi', company: 'Mingxi', email: 'a@site.test', figures: FIGURES }
  const cost = createElement(Blocks, { blocks: blocks.slice(from, to), facts })
  const text = renderToStaticMarkup(createElement(LangContext, { value: lang }, cost)).replaceAll(/<[^>]+>/g, '')
  expect(parts.filter((part) => !text.includes(part))).toEqual([])
})
