import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { workDeskContract } from '#features/backoffice/contract-desk.console.ts'
import { createConsoleApi, KeyCap, kitTexts, screens, useHasPermission, useConsoleFormatter } from '#features/backoffice/console/index.tsx'
import { useTexts } from '#platform/web/i18n.ts'

const api = createConsoleApi({ find: workDeskContract.find })
const PAUSE_MS = 200
const MIN_LETTERS = 3

interface SearchHit {
  readonly key: string
  readonly group: 'page' | 'thing'
  readonly title: string
  readonly note: string
  readonly to: string
}

const hitPaths = {
  customer: (id: string) => `/customers/${id}`,
  order: (id: string) => `/orders?open=${id}`,
  withdrawal: (id: string) => `/withdrawals?open=${id}`,
  invoice: (id: string) => `/invoices?${id.startsWith('IR-') ? 'state=open&' : ''}open=${id}`,
  command: (id: string) => `/approvals?open=${id}`,
} as const

/** Finds pages by name and records by id, mail or number. */
function useSearchHits(typed: string): readonly SearchHit[] {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const may = useHasPermission()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery({
    queryKey: ['find', asked],
    queryFn: ({ signal }) => api.find({ q: asked }, { signal }),
    enabled: asked.length >= MIN_LETTERS && may('work.read'),
    staleTime: 5_000,
  })
  const low = typed.trim().toLowerCase()
  const pages = screens
    .filter((screen) => screen.nav && may(screen.permission) && t(screen.title).toLowerCase().includes(low))
    .map((screen): SearchHit => ({ key: screen.path, group: 'page', title: t(screen.title), note: '', to: screen.path }))
  const things = (data?.hits ?? []).map((hit): SearchHit => ({
    key: `${hit.kind}:${hit.id}`,
    group: 'thing',
    title: hit.kind === 'command' ? say.command(hit.title) : hit.title,
    note: `${say.subject(`${hit.kind === 'customer' ? 'user' : hit.kind}:`).trim()} ${say.value(hit.note)}`,
    to: hitPaths[hit.kind](hit.id),
  }))
  return low === '' ? pages : [...things, ...pages]
}

/** Search palette for pages and records, opened anywhere with Ctrl K. */
export function GlobalSearch() {
  const t = useTexts(kitTexts)
  const router = useRouter()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const found = useSearchHits(typed)
  const chosen = found[Math.min(at, found.length - 1)]
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const go = (to: string) => {
    setOpen(false)
    setTyped('')
    field.current?.blur()
    void router.navigate({ href: to })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.length) {
      event.preventDefault()
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      go(chosen.to)
    } else if (event.key === 'Escape') field.current?.blur()
  }
  return (
    <div className="relative w-full max-w-[420px]" onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}>
      <Search size={15} strokeWidth={1.75} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-fg-3" aria-hidden="true" />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && chosen ? `${id}-${chosen.key}` : undefined}
        aria-label={t('searchAll')}
        placeholder={t('searchAll')}
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        className="input truncate pr-16! pl-9!"
        value={typed}
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
          setOpen(true)
        }}
        onKeyDown={press}
      />
      <span className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 mobile:hidden" aria-hidden="true">
        <KeyCap>Ctrl K</KeyCap>
      </span>
      {isOpen ? <Results id={id} found={found} chosen={chosen} typed={typed.trim()} onGo={go} /> : null}
    </div>
  )
}

interface ResultsProps {
  readonly id: string
  readonly found: readonly SearchHit[]
  readonly chosen: SearchHit | undefined
  readonly typed: string
  readonly onGo: (to: string) => void
}

function Results({ id, found, chosen, typed, onGo }: ResultsProps) {
  const t = useTexts(kitTexts)
  return (
    <div className="popup absolute inset-x-0 top-full z-40 mt-1.5 max-h-[60vh] overflow-y-auto p-1">
      <div id={`${id}-list`} role="listbox" aria-label={t('searchAll')}>
        {found.map((one) => (
          <div
            key={one.key}
            id={`${id}-${one.key}`}
            role="option"
            aria-selected={one === chosen}
            onPointerDown={(event) => {
              event.preventDefault()
              onGo(one.to)
            }}
            className={`flex min-h-8 cursor-pointer items-center gap-3 rounded-tag px-2.5 mobile:min-h-11 ${one === chosen ? 'bg-brand-soft text-brand-text' : ''}`}
          >
            <span className={`min-w-0 flex-1 truncate ${one.group === 'thing' ? 'num' : ''}`}>{one.title}</span>
            <span className="shrink-0 text-12 text-fg-3">{one.note || t('searchGo')}</span>
          </div>
        ))}
      </div>
      {typed.length < MIN_LETTERS ? (
        <p className="px-2.5 py-1.5 text-12 text-fg-3">{t('searchHint')}</p>
      ) : found.length ? null : (
        <p className="px-2.5 py-1.5 text-12 text-fg-3">{t('searchNothing', { typed })}</p>
      )}
    </div>
  )
}
