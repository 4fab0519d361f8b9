import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { HELP_POPULAR, HELP_SECTIONS, HELP_SLUGS, isHelpSlug } from '../help-articles.ts'
import type { ProseBlock } from './blocks.ts'
import { listHeadings } from './blocks.ts'
import { LEGAL, readArticle, readLegal, SAMPLES_FOLDER } from './read.ts'

const root = join(import.meta.dirname, '../../..')
const zh = HELP_SLUGS.map((slug) => readArticle('zh', slug))
const all = (blocks: readonly ProseBlock[]): readonly ProseBlock[] =>
  blocks.flatMap((block) => (block.kind === 'list' ? [block, ...block.items.flatMap(all)] : block.kind === 'note' ? [block, ...all(block.blocks)] : [block]))
const blocksOf = <K extends ProseBlock['kind']>(kind: K) =>
  zh.flatMap(({ slug, blocks }) => all(blocks).flatMap((block) => (block.kind === kind ? [{ slug, block: block as Extract<ProseBlock, { kind: K }> }] : [])))
const legal = LEGAL.map((name) => ({ name, zh: readLegal('zh', name), en: readLegal('en', name) }))

/** Pages of the site outside help, as in the router. */
const PAGES = [
  '/',
  '/api',
  '/account',
  '/orders',
  '/withdrawals',
  '/receipts',
  '/card',
  '/open-account',
  '/bill',
  '/pricing',
  '/service',
  '/compatibility',
  '/gpt-upgrade',
  '/remote',
  '/help',
  '/terms',
  '/privacy',
  '/protocol',
]
const TABS = ['view', 'keys', 'requests', 'rechargeRecord', 'billingDetails', 'pricing', 'start']

describe('links', () => {
  const links = [...zh, ...legal.map((one) => one.zh)].flatMap(({ slug, blocks }) =>
    [...JSON.stringify(blocks).matchAll(/"href":"([^"]+)"/g)].map((match) => ({ slug, href: match[1]! })),
  )

  test('the articles have more than 80 links', () => {
    expect(links.length).toBeGreaterThan(80)
  })

  test.each(links.filter(({ href }) => href.startsWith('/')))('$slug -> $href leads somewhere', ({ href }) => {
    const { pathname, searchParams, hash } = new URL(href, 'https://here.invalid')
    const slug = /^\/help\/(.+)$/.exec(pathname)?.[1]
    if (slug === undefined) {
      expect(PAGES).toContain(pathname)
      if (pathname === '/open-account') return expect([...searchParams]).toEqual([['type', expect.stringMatching(/^(?:standard|pro)$/)]])
      for (const [name, value] of searchParams) expect([name, TABS]).toEqual(['tab', expect.arrayContaining([value])])
      return
    }
    expect(isHelpSlug(slug)).toBe(true)
    if (hash) expect(listHeadings(zh.find((one) => one.slug === slug)!.blocks).map((heading) => `#${heading.id}`)).toContain(hash)
  })

  test('the router knows the pages that articles name', () => {
    const router = readFileSync(join(root, 'apps/web/router.tsx'), 'utf8')
    for (const page of PAGES) expect(router).toContain(`path: '${page}'`)
  })

  test('others are https or mail', () => {
    for (const { href } of links) if (!href.startsWith('/')) expect(href).toMatch(/^(https:\/\/|mailto:\{\{email\}\}$|#)/)
  })
})

describe('the catalogue', () => {
  test('names each article once, and popular ones exist', () => {
    expect(new Set(HELP_SLUGS).size).toBe(HELP_SLUGS.length)
    expect(HELP_POPULAR.every(isHelpSlug)).toBe(true)
    expect(HELP_SECTIONS.every((section) => section.articles.length > 0)).toBe(true)
  })
  test.each(zh.map((article) => [article.slug, article] as const))(
    '%s has related articles, sections and unique anchors',
    (slug, { related, blocks, keywords }) => {
      expect(related.length).toBeGreaterThanOrEqual(2)
      expect(related.every((one) => isHelpSlug(one) && one !== slug)).toBe(true)
      const ids = listHeadings(blocks).map((heading) => heading.id)
      expect(ids.length).toBeGreaterThanOrEqual(2)
      expect(new Set(ids).size).toBe(ids.length)
      expect(keywords).not.toBe('')
    },
  )
})

describe('parts of articles', () => {
  test('every sample is shown, and no article shows a sample twice', () => {
    const shown = blocksOf('samples').map(({ slug, block }) => `${slug} ${block.name}`)
    expect(new Set(shown).size).toBe(shown.length)
    const files = new Set(readdirSync(SAMPLES_FOLDER).map((file) => file.split('.')[0]))
    expect([...files].sort()).toEqual([...new Set(blocksOf('samples').map(({ block }) => block.name))].sort())
  })
  test('every figure is drawn, and every drawing used', () => {
    const source = readFileSync(join(root, 'features/site/web/help/figures/figure.tsx'), 'utf8')
    const drawn = [...source.matchAll(/^ {2}'([a-z-]+)':/gm)].map((match) => match[1])
    expect(drawn.length).toBeGreaterThan(3)
    expect([...new Set(blocksOf('figure').map(({ block }) => block.name))].sort()).toEqual(drawn.sort())
  })
  test('models in samples, receipts and texts have a price', () => {
    const models = ['2026-11-20', '2026-11-21-realtime'].flatMap(
      (file) =>
        (
          JSON.parse(readFileSync(join(root, `features/gateway/server/catalogue/prices/${file}.json`), 'utf8')) as {
            models: readonly { id: string; prices: Record<string, string | null> }[]
          }
        ).models,
    )
    const known = new Map(models.map((model) => [model.id, model.prices]))
    const text = [...readdirSync(SAMPLES_FOLDER).map((file) => readFileSync(join(SAMPLES_FOLDER, file), 'utf8')), JSON.stringify(zh)].join('\n')
    const named = new Set(
      [
        ...text.matchAll(
          /\b(?:gpt-(?:realtime-)?\d[\w.]*(?:-[a-z]+)?|claude-(?:opus|sonnet|haiku|fable)-\d[\d-]*|gemini-\d[\w.]*(?:-[a-z]+)*(?:-\d\d-\d{4})?|text-embedding-[\w-]+)\b/g,
        ),
      ].map((match) => match[0]),
    )
    expect(named.size).toBeGreaterThan(5)
    for (const model of named) expect([model, known.has(model)]).toEqual([model, true])
    for (const { block } of blocksOf('receipt'))
      for (const { line, price } of block.lines) expect([line, parseUsd(price)]).toEqual([line, parseUsd(known.get(block.model)![line] ?? '0')])
  })
})

describe('legal texts', () => {
  test.each([
    ['terms', 10],
    ['privacy', 10],
    ['protocol', 13],
  ])('%s has %i sections in both languages', (name, count) => {
    const both = legal.find((one) => one.name === name)!
    const heads = (lang: 'zh' | 'en') => listHeadings(both[lang].blocks)
    expect(heads('zh')).toHaveLength(count)
    expect(heads('zh').map((heading) => heading.id)).toEqual(heads('en').map((heading) => heading.id))
    for (const lang of ['zh', 'en'] as const) expect(heads(lang).map((heading) => Number.parseInt(heading.text))).toEqual(heads(lang).map((_, at) => at + 1))
  })
  test('the facts that product.md names', () => {
    const text = (name: string, lang: 'zh' | 'en') => JSON.stringify(legal.find((one) => one.name === name)![lang])
    for (const lang of ['zh', 'en'] as const) {
      for (const fact of [
        '3.5%',
        '1.5%',
        '0.02',
        '0.5%',
        '{{top_up_fee}}%',
        '{{invoice_fee}}%',
        '{{dispute_fee}}',
        '12',
        '13',
        '30',
        lang === 'zh' ? '香港特别行政区法律' : 'law of Hong Kong',
        lang === 'zh' ? '测试阶段' : 'beta',
      ])
        expect([lang, text('terms', lang).includes(fact), fact]).toEqual([lang, true, fact])
      for (const fact of ['18', '{{top_up_fee}}%', '30', lang === 'zh' ? '不退' : 'not refunded', lang === 'zh' ? '香港特别行政区法律' : 'law of Hong Kong'])
        expect([lang, text('protocol', lang).includes(fact), fact]).toEqual([lang, true, fact])
    }
  })
})
