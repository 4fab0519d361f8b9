import { pinyin } from 'pinyin-pro'
import { toPlainText } from './blocks.ts'
import type { ProseBlock, IndexedArticle, IndexedSection } from './blocks.ts'
import type { ParsedArticle } from './parse.ts'

/** Search index of an article: prose, tables and notes by heading. Code is left out: readers rarely search for it here. */
export function indexArticle(article: ParsedArticle): IndexedArticle {
  const sections: { id: string; heading: string; parts: string[] }[] = [{ id: '', heading: '', parts: [article.summary] }]
  for (const block of article.blocks) {
    if (block.kind === 'heading') sections.push({ id: block.id, heading: block.text, parts: [] })
    else sections.at(-1)!.parts.push(toBlockText(block))
  }
  return {
    slug: article.slug,
    title: article.title,
    keywords: [article.keywords, ...spellPinyin(`${article.title} ${article.keywords}`)].filter(Boolean).join(' '),
    sections: sections.map(({ id, heading, parts }): IndexedSection => ({ id, heading, text: parts.filter(Boolean).join(' ') })),
  }
}

/** Pinyin of Chinese words for keyboards without Chinese input: 退款 is tuikuan. */
function spellPinyin(text: string): readonly string[] {
  return [...new Set(text.match(/[\u3400-\u9fff]+/g) ?? [])].map((word) => pinyin(word, { toneType: 'none', type: 'array', v: true }).join(''))
}

export function toBlockText(block: ProseBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return toPlainText(block.inlines)
    case 'list':
      return block.items.flatMap((item) => item.map(toBlockText)).join(' ')
    case 'note':
      return block.blocks.map(toBlockText).join(' ')
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(toPlainText).join(' ')).join(' ')
    case 'receipt':
      return block.model
    default:
      return ''
  }
}
