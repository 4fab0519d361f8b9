import { ArrowRight } from 'lucide-react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { HELP_POPULAR, HELP_SECTIONS } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import type { ProseBlock, CodeSample } from '../../help/blocks.ts'
import { fillFacts, useQuotingFacts } from '../prose/facts.ts'
import { getArticleHead, useArticle } from './articles.ts'
import { HelpLink } from '../prose/inlines.tsx'
import { SearchBox } from './search-box.tsx'
import { SITE_SECTION_TEXT } from '../../help-state-texts.ts'

/** Start page of the help centre: search, then popular articles, then all articles by section. `?q=` opens with a search. */
export function HelpPage() {
  const t = useTexts(helpTexts)
  const lang = useLang()
  useTitle(t('help'))
  const [query, setQuery] = useQueryParam<string>('q', '')
  return (
    <div className="wrap-1200 py-16 mobile:py-8">
      <header className={query.trim() ? 'max-w-[720px]' : 'grid items-center gap-x-16 desktop:grid-cols-[minmax(0,1fr)_minmax(0,500px)]'}>
        <div>
          <h1 className="text-40 mobile:text-28">{t('help')}</h1>
          <p className="mt-3 text-18 text-fg-2 mobile:text-16">{t('help_lead')}</p>
          <div className="mt-7 mobile:mt-5">
            <SearchBox look="page" query={query} onQuery={setQuery} />
          </div>
        </div>
        {query.trim() ? null : <FirstCall />}
      </header>
      {query.trim() ? null : (
        <>
          <section aria-labelledby="popular" className="mt-14 mobile:mt-10">
            <h2 id="popular" className="text-20">
              {t('popular')}
            </h2>
            <ol className="mt-4 grid gap-x-10 border-t-2 border-fg desktop:grid-cols-3">
              {HELP_POPULAR.map((slug) => {
                const { title, summary } = getArticleHead(lang, slug)
                return (
                  <li key={slug} className="border-b border-line">
                    <HelpLink href={`/help/${slug}`} className="group flex items-start gap-3 py-4 no-underline">
                      <span className="min-w-0 flex-1">
                        <span className="block font-semibold group-hover:text-brand-text">{title}</span>
                        <span className="mt-0.5 block text-14 text-fg-2">{summary}</span>
                      </span>
                      <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" className="mt-1.5 shrink-0 text-fg-3 group-hover:text-brand-text" />
                    </HelpLink>
                  </li>
                )
              })}
            </ol>
          </section>
          <section aria-labelledby="all" className="mt-16 mobile:mt-12">
            <h2 id="all" className="text-20">
              {t('allArticles')}
            </h2>
            <div className="mt-6 gap-x-10 desktop:columns-3">
              {HELP_SECTIONS.map(({ id, articles }) => (
                <div key={id} className="mb-9 break-inside-avoid">
                  <h3 className="flex items-baseline gap-2 border-b border-line pb-2 font-semibold">
                    {t(SITE_SECTION_TEXT[id])}
                    <span className="tabular text-13 font-normal text-fg-3">{t('sectionCount', { count: articles.length })}</span>
                  </h3>
                  <ul className="mt-2">
                    {articles.map((slug) => (
                      <li key={slug}>
                        <HelpLink
                          href={`/help/${slug}`}
                          className="flex min-h-9 items-center text-14 text-fg-2 no-underline hover:text-fg hover:underline mobile:min-h-11 mobile:text-16"
                        >
                          {getArticleHead(lang, slug).title}
                        </HelpLink>
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </div>
          </section>
        </>
      )}
    </div>
  )
}

/** The first call of the quick start, the shortest check that everything works. Not on a phone, which has no terminal. */
function FirstCall() {
  const t = useTexts(helpTexts)
  const lang = useLang()
  const facts = useQuotingFacts()
  const samples = collectSamples(useArticle(lang, 'quick-start').blocks, 'first-call')
  return (
    <div className="mobile:hidden">
      <CodeBlock remembered label={t('samples')} snippets={samples.map((sample) => ({ ...sample, code: fillFacts(sample.code, facts) }))} />
      <p className="mt-2 text-13 text-fg-3">
        {t('firstCall')}{' '}
        <HelpLink href="/help/quick-start" className="link">
          {getArticleHead(lang, 'quick-start').title}
        </HelpLink>
      </p>
    </div>
  )
}

function collectSamples(blocks: readonly ProseBlock[], name: string): readonly CodeSample[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'samples') return block.name === name ? block.samples : []
    return block.kind === 'list' ? collectSamples(block.items.flat(), name) : []
  })
}
