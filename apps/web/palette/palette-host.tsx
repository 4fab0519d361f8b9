import { Dialog } from '@base-ui/react/dialog'
import { useRef, useEffect, useId, useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts, useLang, getLangAttributes } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { layerTexts } from '../layer-texts.ts'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { findEntries } from './entries.ts'
import type { PaletteEntry, PaletteGroup } from './entries.ts'
import { runPaletteCommand } from './run-command.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { useQuery } from '@tanstack/react-query'
import { gatewayContract } from '#features/gateway/contract.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { loadHelpTitles } from '#features/site/web/index.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'
import { nextLang } from '#platform/shared/languages.ts'

const api = createApi({ modelPrice: gatewayContract.modelPrice, orderRecords: paymentsContract.orderRecords })

/** Models of the price list, the newest orders and the help articles. The palette works without them while they load or fail. */
function usePaletteData() {
  const signedIn = useSignedIn()
  const models = useQuery({ queryKey: ['gateway', 'modelPrice'], queryFn: ({ signal }) => api.modelPrice({}, { signal }), staleTime: 300_000 })
  const orders = useQuery({
    queryKey: ['shell', 'orders'],
    queryFn: ({ signal }) => api.orderRecords({ pageNum: 1, pageSize: 20 }, { signal, alone: true }),
    staleTime: 30_000,
    enabled: signedIn,
  })
  const lang = useLang()
  const articles = useQuery({ queryKey: ['site', 'helpTitles'], queryFn: loadHelpTitles, staleTime: Infinity })
  return {
    signedIn,
    articles: (articles.data ?? []).map(({ slug, title }) => ({ slug, title: title[lang], other: title[nextLang(lang)] })),
    models: models.data?.rowList ?? [],
    orders: (orders.data?.rowList ?? [])
      .filter(({ orderType }) => orderType !== 2)
      .map(({ orderNo, orderAmount }) => ({ orderNo, note: displayUsd(orderAmount) })),
  }
}

const STORAGE_NAME = 'recent'
const MAX_RECENT = 4
const YEAR_MS = 31_536_000_000

/** Commands used last, newest first. Ids only: nothing about models or orders is kept. */
function listRecentCommands(): readonly string[] {
  return (readStored(STORAGE_NAME) ?? '').split(',').filter(Boolean)
}

function rememberCommand(id: string): void {
  if (id.includes(':')) return
  storeValue(STORAGE_NAME, [id, ...listRecentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT).join(','), YEAR_MS)
}

const titles: Record<PaletteGroup, 'groupRecent' | 'groupGo' | 'groupDo' | 'groupModels' | 'groupOrders' | 'groupHelp' | 'groupLook'> = {
  recent: 'groupRecent',
  go: 'groupGo',
  do: 'groupDo',
  models: 'groupModels',
  orders: 'groupOrders',
  help: 'groupHelp',
  look: 'groupLook',
}

/** State of the palette: the matches, the selected one, and the key handlers. */
function usePalette(onClose: () => void) {
  const router = useRouter()
  const { signedIn, models, orders, articles } = usePaletteData()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [recent] = useState(listRecentCommands)
  const list = useRef<HTMLDivElement>(null)
  const entries = useMemo(() => findEntries(typed, { signedIn, models, orders, articles, recent }), [typed, signedIn, models, orders, articles, recent])
  const chosen = entries[Math.min(at, entries.length - 1)]
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (entry: PaletteEntry) => {
    onClose()
    rememberCommand(entry.id)
    if (entry.to) void router.navigate({ to: entry.to.path, search: entry.to.search })
    else runPaletteCommand(entry.id, router)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }
    const next = moves[event.key]
    if (next !== undefined && entries.length && (event.key.startsWith('Arrow') || typed === '')) {
      event.preventDefault()
      setAt((next + entries.length) % entries.length)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
  }
  const type = (text: string) => {
    setTyped(text)
    setAt(0)
  }
  return { typed, type, entries, chosen, choose: (entry: PaletteEntry) => setAt(entries.indexOf(entry)), list, run, press }
}

/** Typing filters, arrow keys select, Enter runs. Focus stays in the field; the selected line is its active descendant. */
function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(layerTexts)
  const { typed, type, entries, chosen, choose, list, run, press } = usePalette(onClose)
  const id = useId()
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-5">
        <Search size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.group}-${chosen.id}` : undefined}
          aria-autocomplete="list"
          aria-label={t('palettePlaceholder')}
          placeholder={t('palettePlaceholder')}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={80}
          data-passing=""
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          className="min-h-14 min-w-0 flex-1 bg-transparent text-16 outline-none"
        />
        <button type="button" className="btn btn-sm btn-ghost shrink-0 desktop:hidden" onClick={onClose}>
          {t('cancel')}
        </button>
        <kbd className="kbd mobile:hidden">Esc</kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('palette')}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 desktop:h-[400px] desktop:flex-none"
      >
        {groupEntries(entries).map(([group, own]) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className="px-3 pt-2.5 pb-1 text-12 text-fg-3">
              {t(titles[group])}
            </p>
            {own.map((entry) => (
              <Line
                key={entry.id}
                id={`${id}-${group}-${entry.id}`}
                entry={entry}
                chosen={entry === chosen}
                onHover={() => choose(entry)}
                onPick={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={entries.length ? 'sr-only' : 'px-5 pb-6 text-center text-14 text-fg-2'}>
        {entries.length ? t('paletteFound', { n: entries.length }) : t('paletteNothing', { typed: typed.trim() })}
      </p>
      <Keys />
    </>
  )
}

function Keys() {
  const t = useTexts(layerTexts)
  return (
    <p className="flex gap-4 border-t border-line bg-sunken px-5 py-2 text-12 text-fg-3 mobile:hidden" aria-hidden="true">
      <span>
        <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> {t('paletteMove')}
      </span>
      <span>
        <kbd className="kbd">↵</kbd> {t('paletteRun')}
      </span>
    </p>
  )
}

function groupEntries(entries: readonly PaletteEntry[]): (readonly [PaletteGroup, readonly PaletteEntry[]])[] {
  return [...new Set(entries.map((entry) => entry.group))].map((group) => [group, entries.filter((entry) => entry.group === group)])
}

interface LineProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly chosen: boolean
  readonly onHover: () => void
  readonly onPick: () => void
}

function Line({ id, entry, chosen, onHover, onPick }: LineProps) {
  const t = useTexts(layerTexts)
  const other = nextLang(useLang())
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onPointerMove={chosen ? undefined : onHover}
      onClick={onPick}
      className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-14 ${chosen ? 'bg-brand-soft text-brand-text' : ''}`}
    >
      <entry.Icon size={16} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${chosen ? '' : 'text-fg-3'}`} />
      <span className="min-w-0 flex-1 truncate">{entry.label ?? (entry.text ? t(entry.text) : '')}</span>
      {entry.note ? <span className={`num min-w-0 truncate text-12 ${chosen ? '' : 'text-fg-3'}`}>{entry.note}</span> : null}
      {entry.text && !entry.keys ? (
        <span {...getLangAttributes(other)} className={`max-w-40 truncate text-12 mobile:hidden ${chosen ? '' : 'text-fg-3'}`} aria-hidden="true">
          {layerTexts[other][entry.text]}
        </span>
      ) : null}
      {entry.keys ? (
        <span className="flex gap-1 mobile:hidden" aria-hidden="true">
          {entry.keys.map((key) => (
            <kbd key={key} className="kbd">
              {key}
            </kbd>
          ))}
        </span>
      ) : null}
    </div>
  )
}

/** Palette of Ctrl/Cmd+K. Near the top and of constant height, so that the list does not jump while typing. */
export function PaletteHost() {
  const t = useTexts(layerTexts)
  const asked = useDialog('palette')
  const open = asked !== undefined
  const last = useRef({ asked, turn: 0 })
  // Reopening it while it fades out starts with an empty input.
  if (asked && asked !== last.current.asked) last.current = { asked, turn: last.current.turn + 1 }
  const close = () => closeDialog('palette')
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) close()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop z-2900" />
        <Dialog.Viewport className="fixed inset-0 z-2999 flex items-start justify-center desktop:p-6 desktop:pt-[12vh]">
          <Dialog.Popup className="dialog-popup flex w-full flex-col overflow-hidden bg-surface shadow-dialog desktop:max-w-[640px] desktop:rounded-dialog mobile:h-full">
            <Dialog.Title className="sr-only">{t('palette')}</Dialog.Title>
            <QueryProvider>
              <Palette key={last.current.turn} onClose={close} />
            </QueryProvider>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
