import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LANGS } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import type { ProseBlock } from '#features/site/help/blocks.ts'
import { LEGAL, readArticle, readLegal, listSlugs } from '#features/site/help/read.ts'
import type { ParsedArticle } from '#features/site/help/parse.ts'

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
export function compareArticles(zh: ParsedArticle, en: ParsedArticle): string[] {
  const problems: string[] = []
  const say = (what: string) => problems.push(`help ${zh.slug}: ${what}`)
  if (zh.updated !== en.updated) say(`updated ${zh.updated} in zh, ${en.updated} in en`)
  if (zh.related.join() !== en.related.join()) say('other related articles in en')
  const [a, b] = [outlineArticle(zh.blocks), outlineArticle(en.blocks)]
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find((index) => a[index] !== b[index])
  if (at !== undefined) say(`zh has "${a[at] ?? 'nothing'}" where en has "${b[at] ?? 'nothing'}"`)
  const links = (article: ParsedArticle) =>
    [...JSON.stringify(article.blocks).matchAll(/"href":"([^"]+)"/g)]
      .map((match) => match[1])
      .sort()
      .join(' ')
  if (links(zh) !== links(en)) say('other links in en')
  const stray = CJK.exec(JSON.stringify(en).replace(OWN_NAMES, ''))
  if (stray) say(`Chinese in the English article: ${stray[0]}`)
  if (!CJK.test(zh.title + zh.summary)) say('the Chinese title is not translated')
  return problems
}

/**
 * Checks that every article of the catalogue and every legal text parses in both languages with the same structure, and that every file is listed.
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
    return compareArticles(read('zh'), read('en'))
  } catch (error) {
    return [(error as Error).message]
  }
}
