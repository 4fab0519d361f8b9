import { Link } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { Button } from '#ui/button.tsx'
import { HELP_POPULAR } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'
import type { HelpHit, HelpTextPiece } from '../../help/search.ts'
import { getArticleHead } from './articles.ts'
import { HelpLink } from '../prose/inlines.tsx'
import type { HelpSearchResult } from './use-search.ts'

interface SearchResultsProps {
  readonly id: string
  readonly query: string
  readonly found: HelpSearchResult
  /** Index of the hit selected by the arrow keys. */
  readonly active: number
  readonly onPick: (hit: HelpHit) => void
}

export function SearchResults({ id, query, found, active, onPick }: SearchResultsProps) {
  const t = useTexts(helpTexts)
  const { state, hits, retry } = found
  return (
    <>
      <p role="status" className={hits.length ? 'sr-only' : 'px-4 py-3 text-14 text-fg-2'}>
        {state === 'loading'
          ? t('searchLoading')
          : state === 'failed'
            ? t('searchFailed')
            : hits.length
              ? t('searchCount', { count: hits.length })
              : t('searchNone', { query })}
      </p>
      {state === 'failed' ? (
        <Button size="sm" variant="secondary" className="mx-4 mb-4" onClick={retry}>
          {t('searchRetry')}
        </Button>
      ) : null}
      <div id={`${id}-results`} role="listbox" aria-label={t('search')} className={hits.length ? 'divide-y divide-line' : ''}>
        {hits.map((hit, at) => (
          <Link
            key={`${hit.slug}#${hit.id}`}
            id={`${id}-${at}`}
            to={`/help/${hit.slug}` as '/'}
            hash={hit.id}
            role="option"
            aria-selected={at === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onPick(hit)
            }}
            className="block px-4 py-3 no-underline hover:bg-sunken aria-selected:bg-sunken aria-selected:shadow-[inset_3px_0_0_var(--color-brand)]"
          >
            <span className="block text-14 font-semibold">
              <MarkedText pieces={hit.title} />
              {hit.heading.length ? (
                <span className="font-normal text-fg-2">
                  {' › '}
                  <MarkedText pieces={hit.heading} />
                </span>
              ) : null}
            </span>
            {hit.snippet.length ? (
              <span className="mt-0.5 block text-13 text-fg-2">
                <MarkedText pieces={hit.snippet} />
              </span>
            ) : null}
          </Link>
        ))}
      </div>
      {state === 'ready' && !hits.length ? <NoResults /> : null}
    </>
  )
}

function MarkedText({ pieces }: { readonly pieces: readonly HelpTextPiece[] }) {
  return pieces.map((piece, at) => (piece.hit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>))
}

/** Suggestions when nothing matches: popular articles and customer service. */
function NoResults() {
  const t = useTexts(helpTexts)
  const lang = useLang()
  return (
    <div className="px-4 pb-4">
      <p className="text-14 text-fg-2">{t('searchNoneHint')}</p>
      <ul className="mt-3 flex flex-wrap gap-2">
        {HELP_POPULAR.slice(0, 4).map((slug) => (
          <li key={slug}>
            <HelpLink href={`/help/${slug}`} className="tag min-h-8 text-13 no-underline hover:text-fg mobile:min-h-11">
              {getArticleHead(lang, slug).title}
            </HelpLink>
          </li>
        ))}
      </ul>
      <Button size="sm" variant="secondary" className="mt-4" onClick={() => openSupport()}>
        <MessageCircle size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('askSupport')}
      </Button>
    </div>
  )
}
