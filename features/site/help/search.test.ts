import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGS } from '#platform/shared/languages.ts'
import { HELP_SLUGS } from '../help-articles.ts'
import { indexArticle } from './index-text.ts'
import { readArticle } from './read.ts'
import { buildHelpIndex, markHits, searchHelp, splitHelpWords } from './search.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

/** Typical queries of each language, each with the article that must be among the first three hits. Also use them to compare search libraries. */
const QUERIES = LANGS.flatMap((lang) =>
  (JSON.parse(readFileSync(join(import.meta.dirname, 'queries', `${lang}.json`), 'utf8')) as [string, string][]).map(
    ([typed, slug]) => [lang, typed, slug] as const,
  ),
)

const articles = mapLangs((lang) => HELP_SLUGS.map((slug) => readArticle(lang, slug)))
const index = mapLangs((lang) => buildHelpIndex(articles[lang].map(indexArticle)))
const joined = (pieces: readonly { text: string }[]) => pieces.map((piece) => piece.text).join('')

describe('typical queries find their articles', () => {
  test.each(QUERIES)('%s: %s leads to %s', (lang, query, slug) => {
    expect(searchHelp(index[lang], query, 3).map((hit) => hit.slug)).toContain(slug)
  })

  test('every title finds its article first, in both languages', () => {
    for (const lang of ['zh', 'en'] as const)
      for (const { slug, title } of articles[lang])
        expect([lang, title, searchHelp(index[lang], title, 3).map((hit) => hit.slug)]).toEqual([lang, title, expect.arrayContaining([slug])])
  })

  test('every heading can be found, and its hit leads to it or to its article', () => {
    for (const lang of ['zh', 'en'] as const)
      for (const { slug, blocks } of articles[lang])
        for (const block of blocks)
          if (block.kind === 'heading' && splitHelpWords(block.text).length > 1)
            expect([lang, block.text, searchHelp(index[lang], block.text, 40).some((hit) => hit.slug === slug || joined(hit.heading) === block.text)]).toEqual([
              lang,
              block.text,
              true,
            ])
  })

  test('nonsense finds nothing', () => {
    for (const query of ['', '   ', 'zzzzqq', '囧囧囧囧', '!!!', '?']) expect(searchHelp(index.zh, query)).toEqual([])
  })

  test('no article fills the list', () => {
    const hits = searchHelp(index.zh, '充值', 12)
    for (const slug of new Set(hits.map((hit) => hit.slug))) expect(hits.filter((hit) => hit.slug === slug).length).toBeLessThanOrEqual(2)
  })
})

describe('for every query', () => {
  const letters = fc.constantFrom(...'退款充值密钥 codexAPI429_-.“”<>&\\u200b😀ＡＢ')
  const query = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(letters, { maxLength: 30 }).map((all) => all.join('')),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  )

  test('hits are sorted, within the limit, and made of text that stands in the article', () => {
    fc.assert(
      fc.property(query, fc.constantFrom('zh' as const, 'en' as const), (text, lang) => {
        const hits = searchHelp(index[lang], text, 8)
        expect(hits.length).toBeLessThanOrEqual(8)
        for (const [at, hit] of hits.entries()) {
          if (at) expect(hit.score).toBeLessThanOrEqual(hits[at - 1]!.score)
          const entry = index[lang].entries.find((one) => one.slug === hit.slug && one.id === hit.id)!
          expect(joined(hit.title)).toBe(entry.title)
          expect(joined(hit.heading)).toBe(entry.heading)
          expect(entry.text).toContain(joined(hit.snippet).replace(/^…|…$/g, ''))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('marking changes no letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.array(fc.string({ maxLength: 4 }), { maxLength: 4 }), (text, words) => {
        expect(joined(markHits(text, words))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test('case and width of letters do not matter', () => {
    const wide = (text: string) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
    fc.assert(
      fc.property(fc.constantFrom('codex', 'stream', 'api key', 'wire_api', 'dify'), (text) => {
        const slugs = (asked: string) => searchHelp(index.en, asked).map((hit) => `${hit.slug}#${hit.id}`)
        expect(slugs(text.toUpperCase())).toEqual(slugs(text))
        expect(slugs(wide(text))).toEqual(slugs(text))
      }),
    )
  })
})
