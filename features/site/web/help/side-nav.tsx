import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { HELP_SECTIONS, type HelpSlug } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import { getArticleHead } from './articles.ts'
import { SITE_SECTION_TEXT } from '../../help-state-texts.ts'

/** All articles by section; the open one is marked. */
export function HelpSideNav({ current }: { readonly current: HelpSlug }) {
  const t = useTexts(helpTexts)
  const lang = useLang()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => scrollToCurrent(nav.current), [current])
  return (
    <nav ref={nav} aria-label={t('nav')} className="text-14">
      {HELP_SECTIONS.map(({ id, articles }) => (
        <div key={id} className="mb-5">
          <p className="mb-1 text-13 font-semibold text-fg-3">{t(SITE_SECTION_TEXT[id])}</p>
          <ul>
            {articles.map((slug) => (
              <li key={slug}>
                <Link
                  to="/help/$slug"
                  params={{ slug }}
                  aria-current={slug === current ? 'page' : undefined}
                  className="-mx-2 flex min-h-8 items-center rounded-control px-2 text-fg-2 no-underline hover:bg-sunken hover:text-fg aria-[current]:bg-brand-soft aria-[current]:font-semibold aria-[current]:text-brand-text mobile:min-h-11"
                >
                  {getArticleHead(lang, slug).title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Scrolls the column, never the page, until the open article is in view. */
function scrollToCurrent(nav: HTMLElement | null): void {
  const column = nav?.closest('[data-column]')
  const here = nav?.querySelector<HTMLElement>('[aria-current]')
  if (!column || !here || column.scrollHeight <= column.clientHeight) return
  const below = here.getBoundingClientRect().bottom - column.getBoundingClientRect().top - column.clientHeight
  if (below > 0) column.scrollTop += below + column.clientHeight / 3
}
