import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { useKeyDialogs } from './keys/key-dialogs.ts'
import { OverviewSkeleton } from './overview/overview-skeleton.tsx'

const TAB_TEXT = {
  keys: 'tab_keys',
  view: 'tab_view',
  requests: 'tab_requests',
  billingDetails: 'tab_billingDetails',
  rechargeRecord: 'tab_rechargeRecord',
  pricing: 'tab_pricing',
  start: 'tab_start',
} as const

const Overview = lazy(() => import('./overview/overview.tsx').then((m) => ({ default: m.GatewayOverview })))
const Keys = lazy(() => import('./keys/keys-page.tsx').then((m) => ({ default: m.KeysPage })))
const Requests = lazy(() => import('./requests/requests-page.tsx').then((m) => ({ default: m.RequestsPage })))
const Usage = lazy(() => import('./usage/usage-page.tsx').then((m) => ({ default: m.UsagePage })))
const Start = lazy(() => import('./start/start-page.tsx').then((m) => ({ default: m.StartPage })))
const Pricing = lazy(() => import('./prices/pricing.tsx').then((m) => ({ default: m.Pricing })))

const TABS = ['view', 'keys', 'requests', 'billingDetails', 'rechargeRecord', 'pricing', 'start'] as const
/** Tabs that render their own heading, because other content shares its row. */
const TABS_WITH_HEADING: ReadonlySet<string> = new Set(['view', 'keys', 'requests', 'billingDetails', 'rechargeRecord', 'start'])
const TAB_STORAGE_KEY = 'api.tab'

/** The page of a member's own base URL and key. */
export const loadForward = () => import('./forward/forward-page.tsx')

/** Opens the dialog of a new key; it appears once the overview has rendered. */
export function openCreateKey(): void {
  useKeyDialogs.getState().openCreate()
}

/** Tabs of other features; the shell passes them in. */
export interface ApiSlots {
  readonly rechargeRecord?: ComponentType
  readonly autoRecharge?: ComponentType
  readonly cards?: ComponentType
}

/**
 * True once the last visited tab was restored, at most once per page load and only if `/api` itself was loaded. A link is followed as it
 * is: the balance in the top bar leads to the balance.
 */
let isTabRestored = false
const isDirectLoad = () => {
  const [loaded] = performance.getEntriesByType('navigation')
  const url = loaded ? new URL(loaded.name) : undefined
  return url !== undefined && /^\/(?:en\/)?api\/?$/.test(url.pathname) && !url.searchParams.has('tab') && !url.searchParams.has('key')
}

/** Resolves the tab, including for old links: a single call was on the usage page, and the key in a refusal's link has no tab. */
function resolveTab(asked: string, { call, view, key }: Readonly<Record<string, string | undefined>>): (typeof TABS)[number] {
  if (asked === 'billingDetails' && (call || view === 'calls')) return 'requests'
  if (asked === 'view' && key) return 'keys'
  return TABS.find((tab) => tab === asked) ?? 'view'
}

export function ApiPage({ slots = {} }: { readonly slots?: ApiSlots }) {
  const t = useTexts(gatewayTexts)
  const signedIn = useSignedIn()
  const [asked, setTab] = useQueryParam<string>('tab', 'view')
  const wanted = resolveTab(asked, useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>)
  const tab = signedIn ? wanted : 'pricing'
  const first = useRef(true)
  useEffect(() => {
    const isFirst = first.current
    first.current = false
    if (!signedIn) return
    if (wanted !== asked && (TABS as readonly string[]).includes(asked)) return setTab(wanted)
    const last = TABS.find((name) => name === readStored(TAB_STORAGE_KEY))
    if (isFirst && !isTabRestored && isDirectLoad() && wanted === 'view' && last && last !== 'view') {
      isTabRestored = true
      setTab(last)
      return
    }
    isTabRestored = true
    // the landing screen precedes the tabs and is not restored
    if (wanted !== 'start') storeValue(TAB_STORAGE_KEY, wanted)
  })
  const leaveStart = () => {
    storeValue(TAB_STORAGE_KEY, '')
    setTab('view')
  }
  const Recharges = slots.rechargeRecord
  return (
    <section aria-labelledby="api-title">
      {TABS_WITH_HEADING.has(tab) ? null : (
        <h1 id="api-title" className="mb-5 text-20 font-bold">
          {t(TAB_TEXT[tab])}
        </h1>
      )}
      <Suspense
        fallback={
          tab === 'view' ? (
            <OverviewSkeleton titleId="api-title" />
          ) : (
            <div className="card">
              <SkeletonRows rows={6} />
            </div>
          )
        }
      >
        {tab === 'view' ? <Overview titleId="api-title" autoRecharge={slots.autoRecharge} cards={slots.cards} /> : null}
        {tab === 'rechargeRecord' ? Recharges ? <Recharges /> : null : null}
        {tab === 'keys' ? <Keys titleId="api-title" /> : null}
        {tab === 'requests' ? <Requests titleId="api-title" /> : null}
        {tab === 'billingDetails' ? <Usage titleId="api-title" /> : null}
        {tab === 'start' ? <Start titleId="api-title" onNext={leaveStart} /> : null}
        {tab === 'pricing' ? <Pricing /> : null}
        {!signedIn && wanted !== 'pricing' ? (
          <EmptyState title={t('signInHint')} action={<Button onClick={() => openDialog('auth', { mode: 'login' })}>{t('signIn')}</Button>} />
        ) : null}
      </Suspense>
    </section>
  )
}
