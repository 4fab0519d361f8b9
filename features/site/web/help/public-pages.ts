import type { ReplyOf } from '#platform/shared/contract.ts'
import { HELP_SECTIONS, HELP_SLUGS, type HelpSlug } from '../../help-articles.ts'
import { siteContract } from '../../contract.ts'
import { helpTexts } from '../../help-texts.ts'
import { listHeadings, type Article, type ProseBlock } from '../../help/blocks.ts'
import type { HeadFacts, PublicPage } from '../public-page.ts'
import { getArticleHead } from './articles.ts'
import { fillFacts } from '../prose/facts.ts'
import { toBlockText } from '../../help/index-text.ts'
import { SITE_SECTION_TEXT } from '../../help-state-texts.ts'
import { LANGUAGES, chooseBrand, DEFAULT_LANG } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

const faq = import.meta.glob<Article>('../../help/content/*/faq.md', { import: 'default', eager: true })

/** The help centre's pages, for the prerenderer. Only the server's bundle reads this file. */
export const helpPages: readonly PublicPage[] = [
  {
    path: '/help',
    title: mapLangs((lang) => helpTexts[lang].help),
    description: mapLangs((lang) => helpTexts[lang].help_about),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/help/index.tsx'],
    updated: HELP_SLUGS.map((slug) => getArticleHead(DEFAULT_LANG, slug).updated)
      .sort()
      .at(-1)!,
  },
  ...HELP_SLUGS.map((slug): PublicPage => ({
    path: `/help/${slug}`,
    title: mapLangs((lang) => getArticleHead(lang, slug).title),
    description: mapLangs((lang) => getArticleHead(lang, slug).summary),
    calls: [siteContract.siteFigures],
    chunks: ['features/site/web/help/index.tsx'],
    updated: getArticleHead(DEFAULT_LANG, slug).updated,
    jsonLd: (facts) => [
      buildBreadcrumbs(slug, facts),
      ...(slug === 'faq' ? [buildFaqPage(faq[`../../help/content/${facts.lang}/faq.md`]!.blocks, facts)] : [buildTechArticle(slug, facts)]),
    ],
  })),
]

function buildBreadcrumbs(slug: HelpSlug, { lang, origin, url }: HeadFacts): object {
  const section = HELP_SECTIONS.find((one) => (one.articles as readonly string[]).includes(slug))!
  const steps = [
    [helpTexts[lang].help, `${origin}${LANGUAGES[lang].path}/help`],
    [helpTexts[lang][SITE_SECTION_TEXT[section.id]], undefined],
    [getArticleHead(lang, slug).title, url],
  ] as const
  return {
    '@type': 'BreadcrumbList',
    'itemListElement': steps.map(([name, item], at) => ({ '@type': 'ListItem', 'position': at + 1, name, ...(item ? { item } : {}) })),
  }
}

function buildTechArticle(slug: HelpSlug, { lang, url, site }: HeadFacts): object {
  const { title, summary, updated } = getArticleHead(lang, slug)
  return {
    '@type': 'TechArticle',
    'headline': title,
    'description': summary,
    'dateModified': updated,
    'inLanguage': LANGUAGES[lang].tag,
    url,
    'publisher': { '@type': 'Organization', 'name': site.company },
  }
}

/** Each heading of the third level is a question; the text below it is the answer. */
function buildFaqPage(blocks: readonly ProseBlock[], { lang, site, data }: HeadFacts): object {
  const { figures } = data[siteContract.siteFigures.path] as ReplyOf<(typeof siteContract)['siteFigures']>
  const facts = { figures, origin: site.origin, host: '', brand: chooseBrand(lang, site), company: site.company, email: site.supportEmail }
  const asked = listHeadings(blocks).filter((heading) => heading.level === 3)
  return {
    '@type': 'FAQPage',
    'mainEntity': asked.map((question) => {
      const from = blocks.indexOf(question) + 1
      const length = blocks.slice(from).findIndex((block) => block.kind === 'heading')
      const answer = blocks
        .slice(from, length < 0 ? undefined : from + length)
        .map(toBlockText)
        .join(' ')
      return { '@type': 'Question', 'name': question.text, 'acceptedAnswer': { '@type': 'Answer', 'text': fillFacts(answer, facts) } }
    }),
  }
}
