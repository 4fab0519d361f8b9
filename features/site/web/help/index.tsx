import { getCurrentLang } from '#platform/web/i18n.ts'
import { isHelpSlug } from '../../help-articles.ts'
import { loadArticle } from './articles.ts'

export { HelpArticlePage } from './article-page.tsx'
export { HelpPage } from './help-page.tsx'

/** While the page comes, so that the article is there with it. The page itself waits for it in the reader's language. */
export async function preloadArticle(slug: string): Promise<void> {
  if (isHelpSlug(slug)) await loadArticle(getCurrentLang(), slug)
}
