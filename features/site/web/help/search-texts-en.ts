import type { IndexedArticle } from '../../help/blocks.ts'

const files = import.meta.glob<IndexedArticle>('../../help/content/en/*.md', { query: '?search', import: 'default', eager: true })

export const helpSearchTextsEn: readonly IndexedArticle[] = Object.values(files)
