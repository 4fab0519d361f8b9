import { use } from 'react'
import type { Lang } from '#platform/shared/texts.ts'
import { HELP_SLUGS, type HelpSlug } from '../../help-articles.ts'
import type { Article, ArticleHead } from '../../help/blocks.ts'

/** Compiled by the build (help/vite.ts): heads of all articles are in the pages' bundle, each article is a separate file. */
const heads = import.meta.glob<ArticleHead>('../../help/content/*/*.md', { query: '?head', import: 'default', eager: true })
const files = import.meta.glob<Article>('../../help/content/*/*.md', { import: 'default' })

const toArticleFile = (lang: Lang, slug: string) => `../../help/content/${lang}/${slug}.md`

export function getArticleHead(lang: Lang, slug: HelpSlug): ArticleHead {
  const file = toArticleFile(lang, slug)
  const head = heads[file]
  if (!head) throw new Error(`no article ${file}`)
  return head
}

/** The articles before and after in reading order. */
export function findNeighbours(slug: HelpSlug): { readonly previous: HelpSlug | undefined; readonly next: HelpSlug | undefined } {
  const at = HELP_SLUGS.indexOf(slug)
  return { previous: HELP_SLUGS[at - 1], next: HELP_SLUGS[at + 1] }
}

const loaded = new Map<string, Article>()
const loading = new Map<string, Promise<Article>>()

/** Loads an article once. A failure is forgotten, so that the next try loads again. */
export function loadArticle(lang: Lang, slug: HelpSlug): Promise<Article> {
  const file = toArticleFile(lang, slug)
  const known = loading.get(file)
  if (known) return known
  const promise = files[file]!().then(
    (article) => {
      loaded.set(file, article)
      return article
    },
    (error: unknown) => {
      loading.delete(file)
      throw error
    },
  )
  loading.set(file, promise)
  return promise
}

/** Returns the article; suspends until it is loaded. */
export function useArticle(lang: Lang, slug: HelpSlug): Article {
  return loaded.get(toArticleFile(lang, slug)) ?? use(loadArticle(lang, slug))
}
