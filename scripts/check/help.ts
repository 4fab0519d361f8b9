import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LANGS } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import type { ProseBlock } from '#features/site/help/blocks.ts'
import { LEGAL, readArticle, readLegal, listSlugs } from '#features/site/help/read.ts'
import type { ParsedArticle } from '#features/site/help/parse.ts'
import { DEFAULT_LANG, LANGUAGES } from '#platform/shared/languages.ts'

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u3001-\u303f\uff01-\uff5e]/
/** Names of apps that are Chinese in any language. */
const OWN_NAMES = /云闪付/g

/** Elements that both languages must have in the same order: headings with their ids, lists, tables, samples, figures, receipts. */
export function outlineArticle(blocks: readonly ProseBlock[]): string[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
        return [`h${block.level} #${block.id}`]
      case 'list':
        return [`${block.ordered ? 'numbered' : 'plain'} list of ${block.items.length}`, ...block.items.flatMap(outlineArticle)]
      case 'table':
        return [`table ${block.rows.length} x ${block.head.length}`]
      case 'note':
        return [`note ${block.note}`, ...outlineArticle(block.blocks)]
      case 'samples':
        return [`samples ${block.name}`]
      case 'figure':
        return [`figure ${block.name}`]
      case 'receipt':
        return [`receipt ${block.model} ${block.lines.map((line) => `${line.line} ${line.tokens} ${line.price}`).join(', ')}`]
      case 'topup':
        return [`topup ${block.amount} ${block.percent} ${block.rate}`]
      default:
        return []
    }
  })
}

/** Lists differences between two versions of an article that must match. */
export function compareArticles(first: ParsedArticle, other: ParsedArticle, otherLang = LANGS[1]!): string[] {
  const firstLang = DEFAULT_LANG
  const problems: string[] = []
  const say = (what: string) => problems.push(`help ${first.slug}: ${what}`)
  if (first.updated !== other.updated) say(`updated ${first.updated} in ${firstLang}, ${other.updated} in ${otherLang}`)
  if (first.related.join() !== other.related.join()) say(`other related articles in ${otherLang}`)
  const [a, b] = [outlineArticle(first.blocks), outlineArticle(other.blocks)]
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find((index) => a[index] !== b[index])
  if (at !== undefined) say(`${firstLang} has "${a[at] ?? 'nothing'}" where ${otherLang} has "${b[at] ?? 'nothing'}"`)
  const links = (article: ParsedArticle) =>
    [...JSON.stringify(article.blocks).matchAll(/"href":"([^"]+)"/g)]
      .map((match) => match[1])
      .sort()
      .join(' ')
  if (links(first) !== links(other)) say(`other links in ${otherLang}`)
  const stray = LANGUAGES[otherLang].script === 'latin' ? CJK.exec(JSON.stringify(other).replace(OWN_NAMES, '')) : null
  if (stray) say(`Chinese in the ${LANGUAGES[otherLang].name} article: ${stray[0]}`)
  if (!CJK.test(first.title + first.summary)) say(`the title is not translated in ${firstLang}`)
  return problems
}

/**
 * Checks that every article of the catalogue and every legal text parses in every language with the same structure, and that every file is listed.
 */
export function checkHelp(root: string): string[] {
  if (!existsSync(join(root, 'features/site/help/content'))) return []
  const missing = LANGS.flatMap((lang) => {
    const there = listSlugs(lang)
    return [
      ...HELP_SLUGS.filter((slug) => !there.includes(slug)).map((slug) => `help ${slug}: has no ${lang} article`),
      ...there
        .filter((slug) => !(HELP_SLUGS as readonly string[]).includes(slug))
        .map((slug) => `help ${slug}: stands in no section (features/site/help-articles.ts)`),
    ]
  })
  if (missing.length) return missing
  return [
    ...HELP_SLUGS.flatMap((slug) => compareLanguages((lang) => readArticle(lang, slug))),
    ...LEGAL.flatMap((name) => compareLanguages((lang) => readLegal(lang, name))),
  ]
}

function compareLanguages(read: (lang: Lang) => ParsedArticle): string[] {
  try {
    return LANGS.filter((lang) => lang !== DEFAULT_LANG).flatMap((lang) => compareArticles(read(DEFAULT_LANG), read(lang), lang))
  } catch (error) {
    return [(error as Error).message]
  }
}
