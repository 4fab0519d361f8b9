import { Printer } from 'lucide-react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { useTitle } from '#platform/web/title.ts'
import type { Article } from '../help/blocks.ts'
import { legalTexts } from '../legal-texts.ts'
import { Blocks } from './prose/blocks.tsx'
import { fillFacts, useQuotingFacts } from './prose/facts.ts'
import { HelpLink } from './prose/inlines.tsx'
import { Toc } from './prose/toc.tsx'

const TITLE_TEXT = { terms: 'terms_title', privacy: 'privacy_title', protocol: 'protocol_title' } as const

const documents = import.meta.glob<Article>('../legal/*/{terms,privacy}.md', { import: 'default', eager: true })
const NAMES = ['terms', 'privacy', 'protocol'] as const

/** Terms and privacy policy, ten sections each, corrected where the old policy was wrong (decisions). */
function Legal({ page }: { readonly page: 'terms' | 'privacy' }) {
  const t = useTexts(legalTexts)
  const lang = useLang()
  const facts = useQuotingFacts()
  const { title, summary, updated, blocks } = documents[`../legal/${lang}/${page}.md`]!
  useTitle(title)
  return (
    <div className="wrap-1200 grid gap-x-16 print:block py-16 desktop:grid-cols-[220px_minmax(0,680px)] mobile:py-8">
      <aside className="self-start desktop:sticky desktop:top-24 desktop:max-h-[calc(100vh-96px)] desktop:overflow-y-auto mobile:order-2 no-print">
        <div className="mobile:hidden">
          <Toc blocks={blocks} facts={facts} />
        </div>
        <nav aria-label={t('legal_other')} className="mt-8 border-t border-line pt-4 text-14 mobile:mt-12">
          <p className="mb-1 text-13 text-fg-3">{t('legal_other')}</p>
          {NAMES.filter((name) => name !== page).map((name) => (
            <HelpLink key={name} href={`/${name}`} className="flex min-h-8 items-center text-fg-2 underline-offset-4 hover:underline mobile:min-h-11">
              {t(TITLE_TEXT[name])}
            </HelpLink>
          ))}
        </nav>
      </aside>
      <article className="min-w-0 print:max-w-none">
        <h1 className="text-40 mobile:text-28">{title}</h1>
        <p className="mt-3 text-18 text-fg-2 mobile:text-16">{fillFacts(summary, facts)}</p>
        <div className="mt-4 flex items-center gap-4 border-b border-line pb-4 text-13 text-fg-3">
          <p className="tabular">{t('legal_updated', { day: site[`${page}Updated`] ?? updated })}</p>
          <button type="button" onClick={() => print()} className="inline-flex min-h-8 items-center gap-1.5 hover:text-fg mobile:hidden no-print">
            <Printer size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('legal_print')}
          </button>
        </div>
        <details className="fold -mt-px desktop:hidden no-print">
          <summary>{t('legal_toc')}</summary>
          <Toc blocks={blocks} facts={facts} />
        </details>
        <div className="prose mt-6">
          <Blocks blocks={blocks} facts={facts} />
        </div>
      </article>
    </div>
  )
}

export function TermsPage() {
  return <Legal page="terms" />
}

export function PrivacyPage() {
  return <Legal page="privacy" />
}
