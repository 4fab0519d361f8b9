import type { IndexedArticle } from '../../help/blocks.ts'

const files = import.meta.glob<IndexedArticle>('../../help/content/zh/*.md', { query: '?search', import: 'default', eager: true })

export const helpSearchTextsZh: readonly IndexedArticle[] = Object.values(files)
