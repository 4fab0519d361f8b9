import { Bug, X } from 'lucide-react'
import { useState, useRef } from 'react'
import type { PointerEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useCurrentUser } from '#features/account/web/index.tsx'
import { paymentsContract } from '#features/payments/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { queryClient, QueryProvider } from '#platform/web/calls/query.tsx'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { apiTarget } from '#platform/web/state/api-target.ts'
import { switchSupport, useSupportSwitch } from '#platform/web/state/support-switch.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { LangChoice } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'
import { layerTexts } from '../layer-texts.ts'
import { ApiChoice } from './api-choice.tsx'
import { showDevPanel } from './visibility.ts'
import { testAllChannels } from './test-channels.ts'
import type { ChannelTrial } from './test-channels.ts'

const THRESHOLD = 5
const KEY = 'mx.dev.at'
const SIZE = 44

interface Place {
  readonly x: number
  readonly y: number
}

function clampToView({ x, y }: Place): Place {
  return { x: Math.min(Math.max(0, x), innerWidth - SIZE), y: Math.min(Math.max(0, y), innerHeight - SIZE) }
}

function readStoredPlace(): Place {
  try {
    return clampToView(JSON.parse(sessionStorage.getItem(KEY) ?? '') as Place)
  } catch {
    return { x: 12, y: innerHeight - 180 }
  }
}

/** Makes an element draggable; a move of less than five pixels is a press (product.md 1.2). */
function useDrag(onPress: () => void) {
  const [place, setPlace] = useState(readStoredPlace)
  const start = useRef<{ readonly at: Place; readonly from: Place; moved: boolean }>(undefined)
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      start.current = { at: { x: event.clientX, y: event.clientY }, from: place, moved: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const drag = start.current
      if (!drag) return
      const dx = event.clientX - drag.at.x
      const dy = event.clientY - drag.at.y
      if (!drag.moved && Math.hypot(dx, dy) < THRESHOLD) return
      drag.moved = true
      setPlace(clampToView({ x: drag.from.x + dx, y: drag.from.y + dy }))
    },
    onPointerUp: () => {
      if (start.current?.moved) sessionStorage.setItem(KEY, JSON.stringify(place))
    },
    // Runs after pointerup, and for the keyboard.
    onClick: () => {
      const moved = start.current?.moved
      start.current = undefined
      if (!moved) onPress()
    },
  }
  return { place, handlers }
}

const api = createApi({ orderRecords: paymentsContract.orderRecords })

/** Panel for developers; never in production (product.md 1.2). */
export function DevPanel() {
  return (
    <QueryProvider>
      <Panel />
    </QueryProvider>
  )
}

function Panel() {
  const t = useTexts(layerTexts)
  const [open, setOpen] = useState(false)
  const { place, handlers } = useDrag(() => setOpen(!open))
  return (
    <aside aria-label={t('dev')}>
      <button
        type="button"
        {...handlers}
        aria-label={t('dev')}
        title={t('dev')}
        aria-expanded={open}
        style={{ left: place.x, top: place.y }}
        className={`fixed z-3090 flex size-11 touch-none items-center justify-center rounded-full text-bg shadow-dialog ${apiTarget ? 'bg-danger' : 'bg-fg'}`}
      >
        <Bug size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open ? (
        <div className="popup fixed right-4 bottom-4 z-3080 flex max-h-[80vh] w-[360px] max-w-[calc(100vw-32px)] flex-col gap-4 overflow-y-auto p-4 text-14">
          <header className="flex items-center justify-between">
            <h2 className="text-16">
              {t('dev')} <span className="tag ml-1">{site.stage}</span>
            </h2>
            <button type="button" className="icon-btn -m-2" aria-label={t('close')} title={t('close')} onClick={() => setOpen(false)}>
              <X size={18} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </header>
          <div className="flex flex-wrap gap-2">
            <LangChoice />
            <ThemeChoice />
          </div>
          <ApiChoice />
          <Switches />
          <Channels />
          <Facts />
          <div className="flex flex-wrap gap-2">
            <a href="/sandbox" className={getButtonClass('secondary', 'sm')}>
              {t('devSandbox')}
            </a>
            <a href="/dev/ui" className={getButtonClass('secondary', 'sm')}>
              {t('devKit')}
            </a>
            <a href="/test-icon" className={getButtonClass('secondary', 'sm')}>
              {t('devIcons')}
            </a>
            <Button size="sm" variant="secondary" onClick={() => showDevPanel(false)}>
              {t('devHide')}
            </Button>
            <Button size="sm" variant="danger" onClick={clearCaches}>
              {t('devClear')}
            </Button>
          </div>
        </div>
      ) : null}
    </aside>
  )
}

/** Links to the same page on the other configured sites, and the support switch of this tab. */
function Switches() {
  const t = useTexts(layerTexts)
  const { pathname, search } = useLocation({ select: ({ pathname, searchStr }) => ({ pathname, search: searchStr }) })
  const isOff = useSupportSwitch((state) => state.isOff)
  const sites = [
    { url: site.productionUrl, text: t('devProduction') },
    { url: site.chinaUrl, text: t('devChina') },
  ]
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" variant="secondary" aria-pressed={!isOff} onClick={() => switchSupport(isOff)}>
        {t(isOff ? 'devSupportOff' : 'devSupportOn')}
      </Button>
      {sites.map(({ url, text }) =>
        url ? (
          <a key={url} href={new URL(pathname + search, url).href} className={getButtonClass('secondary', 'sm')}>
            {text}
          </a>
        ) : null,
      )}
    </div>
  )
}

function Channels() {
  const t = useTexts(layerTexts)
  const signedIn = useSignedIn()
  const [trials, setTrials] = useState<readonly ChannelTrial[]>([])
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setTrials([])
    setBusy(true)
    try {
      await testAllChannels((trial) => setTrials((old) => [...old, trial]))
    } catch (error) {
      setTrials((old) => [...old, { name: '', outcome: String(error), ok: false }])
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <Button size="sm" variant="secondary" loading={busy} disabled={!signedIn} onClick={() => void run()}>
        {t('devChannels')}
      </Button>
      <ul className="mt-2 grid gap-1 text-13" aria-live="polite">
        {trials.map((trial, index) => (
          <li key={index} className="flex justify-between gap-4">
            <span>{trial.name}</span>
            <span className={`min-w-0 text-right ${trial.ok ? 'text-success' : 'text-danger'}`}>{trial.outcome}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The signed-in user and their newest orders as the server returns them. */
function Facts() {
  const t = useTexts(layerTexts)
  const me = useCurrentUser().data
  const orders = useQuery({
    queryKey: ['shell', 'dev-orders'],
    queryFn: ({ signal }) => api.orderRecords({ pageNum: 1, pageSize: 3 }, { signal, alone: true }),
    enabled: me !== undefined,
  })
  const facts = { user: me ?? null, orders: orders.data?.rowList ?? [], build: import.meta.env['VITE_VERSION'] as string }
  return (
    <details>
      <summary className="min-h-8 text-13 text-fg-2">{t('devFacts')}</summary>
      <pre tabIndex={0} className="mt-1 max-h-56 overflow-auto rounded-control bg-sunken p-3 text-12 whitespace-pre-wrap">
        {JSON.stringify(facts, null, 1)}
      </pre>
    </details>
  )
}

function clearCaches(): void {
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  location.assign('/')
}
