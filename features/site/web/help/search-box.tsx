import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'
import type { Hit } from '../../help/search.ts'
import { SearchResults } from './search-results.tsx'
import { useHelpSearch } from './use-search.ts'

interface SearchBoxProps {
  /** page: large, with its results below in the page. bar: small, with its results above the page. */
  readonly look: 'page' | 'bar'
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Typing searches; arrows choose, Enter opens, Esc clears and then leaves. "/" anywhere comes here. */
export function SearchBox({ look, query, onQuery }: SearchBoxProps) {
  const t = useTexts(helpTexts)
  const lang = useLang()
  const navigate = useNavigate()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const asked = query.trim()
  const found = useHelpSearch(asked, wanted || asked !== '', lang, look === 'page' ? 12 : 8)
  useSlashFocus(input)
  useEffect(() => setChosen(0), [asked])
  const shown = asked !== '' && (look === 'page' || open)
  const active = shown && found.hits.length ? Math.min(chosen, found.hits.length - 1) : -1

  const go = (hit: Hit) => {
    setOpen(false)
    if (look === 'bar') onQuery('')
    void navigate({ to: `/help/${hit.slug}` as '/', hash: hit.id, search: {} })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      if (query) onQuery('')
      else input.current?.blur()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.hits.length) {
      event.preventDefault()
      setOpen(true)
      setChosen((active + step + found.hits.length) % found.hits.length)
    }
    const hit = found.hits[active]
    if (event.key === 'Enter' && hit) {
      event.preventDefault()
      go(hit)
    }
  }
  return (
    <div
      ref={box}
      className="relative no-print"
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <div role="search" className="relative">
        <Search
          size={look === 'page' ? 20 : 16}
          strokeWidth={1.75}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-fg-3"
        />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label={t('search')}
          aria-expanded={shown}
          aria-controls={shown ? `${id}-results` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={100}
          placeholder={look === 'page' ? t('searchHint') : t('search')}
          value={query}
          onChange={(event) => {
            setOpen(true)
            onQuery(event.target.value)
          }}
          onFocus={() => {
            setWanted(true)
            setOpen(true)
          }}
          onKeyDown={onKeyDown}
          className={`input ${look === 'page' ? 'min-h-[52px] pr-12 pl-11 text-16' : 'pr-10 pl-10'}`}
        />
        {query ? (
          <button
            type="button"
            aria-label={t('searchClear')}
            title={t('searchClear')}
            className="icon-btn absolute top-1/2 right-1 -translate-y-1/2"
            onClick={() => {
              onQuery('')
              input.current?.focus()
            }}
          >
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        ) : (
          <kbd
            aria-hidden="true"
            title={t('searchKey')}
            className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 rounded-tag border border-line px-1.5 text-12 text-fg-3 mobile:hidden"
          >
            /
          </kbd>
        )}
      </div>
      {shown ? (
        <div
          className={
            look === 'page' ? 'mt-4' : 'popup absolute inset-x-0 top-full z-50 mt-1.5 max-h-[70vh] overflow-y-auto desktop:right-auto desktop:w-[480px]'
          }
        >
          <SearchResults id={id} query={asked} found={found} active={active} onPick={go} />
        </div>
      ) : null}
    </div>
  )
}

/** "/" brings the reader to the search field, unless they are writing or a layer is open. */
function useSlashFocus(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const at = event.target as HTMLElement
      if (at.closest('input, textarea, select, [contenteditable], [role="dialog"]') || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input])
}
