import { useParams } from '@tanstack/react-router'
import { Printer, ArrowLeft, ArrowRight } from 'lucide-react'
import { useRef, useState, useEffect, type RefObject } from 'react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { isHelpSlug, type HelpSlug } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import { useArticle, getArticleHead, findNeighbours } from './articles.ts'
import { Blocks } from '../prose/blocks.tsx'
import { fillFacts, useQuotingFacts } from '../prose/facts.ts'
import { HelpLink } from '../prose/inlines.tsx'
import { SearchBox } from './search-box.tsx'
import { HelpSideNav } from './side-nav.tsx'
import { renderSpecialBlock } from './special.tsx'
import { Toc } from '../prose/toc.tsx'
import { Vote } from './vote.tsx'
import type { Article } from '../../help/blocks.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/error-state.tsx'

/** True after the first article was shown. The first one keeps focus at the start of the page, where the reader arrived. */
let hasShownArticle = false

/**
 * Scrolls to the heading in the address, also if the article loads later. Otherwise focuses
 * the title of an article opened from another page, so that keyboard users continue there.
 */
function useFollowHash(article: Article, title: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const heading = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
    heading?.scrollIntoView()
    const target = heading ?? (hasShownArticle && document.activeElement === document.body ? title.current : null)
    target?.focus({ preventScroll: true })
    hasShownArticle = true
  }, [article, title])
}

export function HelpArticlePage() {
  const { slug } = useParams({ strict: false }) as { slug?: string }
  return slug && isHelpSlug(slug) ? <ArticlePage key={slug} slug={slug} /> : <MissingArticle />
}

/** Contents, article, headings side by side; on a phone the contents and the headings collapse above the article. */
function ArticlePage({ slug }: { readonly slug: HelpSlug }) {
  const t = useTexts(helpTexts)
  const lang = useLang()
  const facts = useQuotingFacts()
  const article = useArticle(lang, slug)
  const [query, setQuery] = useState('')
  useTitle(article.title)
  const heading = useRef<HTMLHeadingElement>(null)
  useFollowHash(article, heading)
  return (
    <div className="wrap-1200 grid gap-x-14 print:block py-10 desktop:grid-cols-[212px_minmax(0,1fr)] mobile:py-5">
      <aside className="self-start no-print desktop:sticky desktop:top-[76px] desktop:flex desktop:max-h-[calc(100vh-76px)] desktop:flex-col">
        <div className="desktop:px-2 desktop:pt-1 desktop:pb-4">
          <SearchBox look="bar" query={query} onQuery={setQuery} />
        </div>
        <details className="fold mt-3 desktop:hidden">
          <summary>{t('navOpen')}</summary>
          <HelpSideNav current={slug} />
        </details>
        <div data-column className="min-h-0 overflow-y-auto px-2 pt-1 pb-10 mobile:hidden">
          <HelpSideNav current={slug} />
        </div>
      </aside>
      {/* The headings stand on the right where there is room, above the article where there is not: wrapping decides. */}
      <div className="flex min-w-0 flex-row-reverse flex-wrap gap-x-14 gap-y-6">
        <div className="flex-[1_1_180px] mobile:hidden no-print">
          <div className="sticky top-[92px] max-h-[calc(100vh-92px)] overflow-y-auto pb-6">
            <Toc blocks={article.blocks} facts={facts} />
          </div>
        </div>
        <article className="max-w-[700px] min-w-0 flex-[999_1_540px] print:max-w-none">
          <nav aria-label={t('help')} className="text-13 text-fg-3 no-print">
            <HelpLink href="/help" className="inline-flex min-h-8 items-center underline-offset-4 hover:underline mobile:min-h-11">
              {t('help')}
            </HelpLink>
          </nav>
          <h1 ref={heading} tabIndex={-1} className="text-40 mobile:text-28">
            {article.title}
          </h1>
          <p className="mt-3 text-18 text-fg-2 mobile:text-16">{fillFacts(article.summary, facts)}</p>
          <div className="mt-4 flex flex-wrap items-center gap-x-4 border-b border-line pb-4 text-13 text-fg-3">
            <p className="tabular">{t('updated', { day: article.updated })}</p>
            <button type="button" onClick={() => print()} className="inline-flex min-h-8 items-center gap-1.5 hover:text-fg mobile:hidden no-print">
              <Printer size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('print')}
            </button>
          </div>
          <details className="fold -mt-px desktop:hidden no-print">
            <summary>{t('toc')}</summary>
            <Toc blocks={article.blocks} facts={facts} />
          </details>
          <div className="prose mt-6">
            <Blocks blocks={article.blocks} facts={facts} special={renderSpecialBlock} />
          </div>
          <Vote article={slug} />
          <Onward slug={slug} related={article.related} />
        </article>
      </div>
    </div>
  )
}

/** Page for an unknown address below /help. */
function MissingArticle() {
  const t = useTexts(helpTexts)
  useTitle(t('missingTitle'))
  return (
    <div className="wrap-1200 py-16">
      <h1 className="sr-only">{t('missingTitle')}</h1>
      <EmptyState
        title={t('missingTitle')}
        body={t('missingBody')}
        action={
          <HelpLink href="/help" className={getButtonClass('primary')}>
            {t('missingBack')}
          </HelpLink>
        }
      />
    </div>
  )
}

/** Links to related articles, and to the previous and next one. */
function Onward({ slug, related }: { readonly slug: HelpSlug; readonly related: readonly string[] }) {
  const t = useTexts(helpTexts)
  const lang = useLang()
  const { previous, next } = findNeighbours(slug)
  return (
    <div className="mt-8 no-print">
      <section aria-labelledby="related">
        <h2 id="related" className="text-16">
          {t('related')}
        </h2>
        <ul className="mt-2">
          {related.filter(isHelpSlug).map((one) => (
            <li key={one} className="border-b border-line last:border-0">
              <HelpLink href={`/help/${one}`} className="group block py-2.5 no-underline">
                <span className="block text-14 font-semibold group-hover:text-brand-text">{getArticleHead(lang, one).title}</span>
                <span className="block text-13 text-fg-2">{getArticleHead(lang, one).summary}</span>
              </HelpLink>
            </li>
          ))}
        </ul>
      </section>
      <nav aria-label={`${t('previous')} / ${t('next')}`} className="mt-8 grid grid-cols-2 gap-4">
        {previous ? (
          <HelpLink href={`/help/${previous}`} className="card block p-4 no-underline hover:border-control">
            <span className="flex items-center gap-1.5 text-13 text-fg-3">
              <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('previous')}
            </span>
            <span className="mt-1 block text-14 font-semibold">{getArticleHead(lang, previous).title}</span>
          </HelpLink>
        ) : (
          <span />
        )}
        {next ? (
          <HelpLink href={`/help/${next}`} className="card block p-4 text-right no-underline hover:border-control">
            <span className="flex items-center justify-end gap-1.5 text-13 text-fg-3">
              {t('next')}
              <ArrowRight size={14} strokeWidth={1.75} aria-hidden="true" />
            </span>
            <span className="mt-1 block text-14 font-semibold">{getArticleHead(lang, next).title}</span>
          </HelpLink>
        ) : null}
      </nav>
    </div>
  )
}
