import { Search, X } from 'lucide-react'
import { useId, useRef, useEffect, useState } from 'react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'
import { SearchResults } from './search-results.tsx'
import { useNavigate } from '@tanstack/react-router'
import type { HelpHit } from '../../help/search.ts'
import { useHelpSearch } from './use-search.ts'

/** Search field with its results. */
export function SearchBox(props: SearchBoxProps) {
  const { look, query } = props
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const box = useSearchBox(props)
  return (
    <div
      ref={whole}
      className="relative no-print"
      onBlur={(event) => {
        if (!whole.current?.contains(event.relatedTarget)) box.close()
      }}
    >
      <SearchField id={id} look={look} query={query} box={box} />
      {box.shown ? (
        <div
          className={
            look === 'page' ? 'mt-4' : 'popup absolute inset-x-0 top-full z-50 mt-1.5 max-h-[70vh] overflow-y-auto desktop:right-auto desktop:w-[480px]'
          }
        >
          <SearchResults id={id} query={box.asked} found={box.found} active={box.active} onPick={box.go} />
        </div>
      ) : null}
    </div>
  )
}

interface SearchFieldProps extends Pick<SearchBoxProps, 'look' | 'query'> {
  readonly id: string
  readonly box: ReturnType<typeof useSearchBox>
}

function SearchField({ id, look, query, box }: SearchFieldProps) {
  const t = useTexts(helpTexts)
  return (
    <div role="search" className="relative">
      <Search
        size={look === 'page' ? 20 : 16}
        strokeWidth={1.75}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-fg-3"
      />
      <input
        ref={box.input}
        type="search"
        role="combobox"
        aria-label={t('search')}
        aria-expanded={box.shown}
        aria-controls={box.shown ? `${id}-results` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={box.active >= 0 ? `${id}-${box.active}` : undefined}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={100}
        placeholder={look === 'page' ? t('searchHint') : t('search')}
        value={query}
        onChange={(event) => box.type(event.target.value)}
        onFocus={box.enter}
        onKeyDown={box.onKeyDown}
        className={`input ${look === 'page' ? 'min-h-[52px] pr-12 pl-11 text-16' : 'pr-10 pl-10'}`}
      />
      {query ? (
        <button
          type="button"
          aria-label={t('searchClear')}
          title={t('searchClear')}
          className="icon-btn absolute top-1/2 right-1 -translate-y-1/2"
          onClick={box.clear}
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
  )
}

interface SearchBoxProps {
  /** page: large, with its results below in the page. bar: small, with its results above the page. */
  readonly look: 'page' | 'bar'
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** State of the search field. Typing searches, arrow keys choose, Enter opens, Esc clears and then leaves; "/" focuses it from anywhere. */
function useSearchBox({ look, query, onQuery }: SearchBoxProps) {
  const lang = useLang()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const asked = query.trim()
  const found = useHelpSearch(asked, wanted || asked !== '', { lang, most: look === 'page' ? 12 : 8 })
  useSlashFocus(input)
  useEffect(() => setChosen(0), [asked])
  const shown = asked !== '' && (look === 'page' || open)
  const active = shown && found.hits.length ? Math.min(chosen, found.hits.length - 1) : -1

  const go = (hit: HelpHit) => {
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
  const type = (text: string) => {
    setOpen(true)
    onQuery(text)
  }
  const enter = () => {
    setWanted(true)
    setOpen(true)
  }
  const clear = () => {
    onQuery('')
    input.current?.focus()
  }
  return { input, asked, found, shown, active, go, type, enter, clear, onKeyDown, close: () => setOpen(false) }
}

/** "/" focuses the search field, unless the reader is typing or a layer is open. */
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
