import type { Lang } from '#platform/shared/texts.ts'
import { HELP_SLUGS } from '../../help-articles.ts'
import { getArticleHead } from './articles.ts'

export interface HelpTitle {
  readonly slug: string
  readonly title: Readonly<Record<Lang, string>>
}

/** Titles of all articles in both languages, in reading order: for lists outside the help centre. */
export const helpTitles: readonly HelpTitle[] = HELP_SLUGS.map((slug) => ({
  slug,
  title: { zh: getArticleHead('zh', slug).title, en: getArticleHead('en', slug).title },
}))
