import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { isHelpSlug, type HelpSlug } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import { getArticleHead, findNeighbours } from './articles.ts'
import { HelpLink } from '../prose/inlines.tsx'

/** Links to related articles, and to the previous and next one. */
export function Onward({ slug, related }: { readonly slug: HelpSlug; readonly related: readonly string[] }) {
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
