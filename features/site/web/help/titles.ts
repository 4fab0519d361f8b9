import type { Lang } from '#platform/shared/texts.ts'
import { HELP_SLUGS } from '../../help-articles.ts'
import { getArticleHead } from './articles.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

export interface HelpTitle {
  readonly slug: string
  readonly title: Readonly<Record<Lang, string>>
}

/** Titles of all articles in each language, in reading order: for lists outside the help centre. */
export const helpTitles: readonly HelpTitle[] = HELP_SLUGS.map((slug) => ({
  slug,
  title: mapLangs((lang) => getArticleHead(lang, slug).title),
}))
