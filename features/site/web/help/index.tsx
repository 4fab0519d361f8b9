import { getCurrentLang } from '#platform/web/i18n.ts'
import { isHelpSlug } from '../../help-articles.ts'
import { loadArticle } from './articles.ts'

export { HelpArticlePage } from './article-page.tsx'
export { HelpPage } from './help-page.tsx'

/** Loads the article in parallel with the page, which waits for it in the reader's language. */
export async function preloadArticle(slug: string): Promise<void> {
  if (isHelpSlug(slug)) await loadArticle(getCurrentLang(), slug)
}
