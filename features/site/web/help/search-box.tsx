import { Search, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'
import { SearchResults } from './search-results.tsx'
import { useSearchBox } from './use-search-box.ts'
import type { SearchBoxProps } from './use-search-box.ts'

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
