import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { site } from '#platform/web/site.ts'
import { legalTexts } from '../legal-texts.ts'

const UPDATED = '2026-11-20'
const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** Ten sections each; where the old policy said something untrue, this one says what is true (decisions). */
function Legal({ page }: { readonly page: 'terms' | 'privacy' }) {
  const t = useTexts(legalTexts)
  useTitle(t(`${page}_title`))
  const facts = { company: site.company, email: site.supportEmail }
  return (
    <div className="wrap-1200 grid gap-x-16 py-16 desktop:grid-cols-[220px_minmax(0,680px)] mobile:py-8">
      <header className="desktop:col-start-2">
        <h1 className="text-40 mobile:text-28">{t(`${page}_title`)}</h1>
        <p className="tabular mt-2 text-14 text-fg-3">{t('legal_updated', { day: UPDATED })}</p>
      </header>
      <nav
        aria-label={t('legal_toc')}
        className="self-start desktop:sticky desktop:top-24 desktop:row-span-2 desktop:row-start-1 mobile:my-6 mobile:border-y mobile:border-line mobile:py-3"
      >
        <ol className="text-14 text-fg-2">
          {sections.map((n) => (
            <li key={n}>
              <a href={`#s${n}`} className="flex min-h-8 items-center gap-2 no-underline hover:text-fg hover:underline mobile:min-h-11">
                <span className="num w-5 text-fg-3">{n}</span>
                {t(`${page}_${n}`)}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="mt-4">
        {sections.map((n) => (
          <section key={n} id={`s${n}`} className="border-t border-line py-7">
            <h2 className="flex gap-3 text-20">
              <span className="num font-medium text-fg-3">{n}</span>
              {t(`${page}_${n}`)}
            </h2>
            {t(`${page}_${n}_body`, facts)
              .split('\n')
              .map((paragraph) => (
                <p key={paragraph} className="mt-3 text-fg-2">
                  {paragraph}
                </p>
              ))}
          </section>
        ))}
      </div>
    </div>
  )
}

export function TermsPage() {
  return <Legal page="terms" />
}

export function PrivacyPage() {
  return <Legal page="privacy" />
}
