import { useParams } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { isHelpSlug, type HelpSlug } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import { useArticle } from './articles.ts'
import { Blocks } from '../prose/blocks.tsx'
import { fillFacts, useQuotingFacts } from '../prose/facts.ts'
import { HelpLink } from '../prose/inlines.tsx'
import { MissingArticle } from './missing.tsx'
import { Onward } from './onward.tsx'
import { SearchBox } from './search-box.tsx'
import { HelpSideNav } from './side-nav.tsx'
import { renderSpecialBlock } from './special.tsx'
import { Toc } from '../prose/toc.tsx'
import { useFollowHash } from './use-follow-hash.ts'
import { Vote } from './vote.tsx'

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
