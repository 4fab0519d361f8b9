import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/dialogs.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { keep, kept } from '#platform/web/storage.ts'
import { useQueryParam } from '#platform/web/url-state.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { OverviewShape } from './overview-shape.tsx'

const Overview = lazy(() => import('./overview.tsx').then((m) => ({ default: m.Overview })))
const Billing = lazy(() => import('./billing.tsx').then((m) => ({ default: m.Billing })))
const Pricing = lazy(() => import('./pricing.tsx').then((m) => ({ default: m.Pricing })))

export type ApiTab = 'view' | 'rechargeRecord' | 'billingDetails' | 'pricing'
const TABS: readonly ApiTab[] = ['view', 'rechargeRecord', 'billingDetails', 'pricing']
const KEPT = 'api.tab'

/** Opens the dialog of a new key; it is drawn once the overview is. */
export function openCreateKey(): void {
  useKeyDialogs.getState().openCreate()
}

/** Tabs that belong to a neighbour; the shell passes them in. */
export interface ApiSlots {
  readonly rechargeRecord?: ComponentType
  readonly autoRecharge?: ComponentType
}

/** The tab of the last visit, once a page load: later `/api` means the overview. Links that say where they lead are taken at their word. */
let restored = false
const saysWhere = () => /[?&](?:tab|key)=/.test(location.search)

export function ApiPage({ slots = {} }: { readonly slots?: ApiSlots }) {
  const t = useTexts(gatewayTexts)
  const signedIn = useSignedIn()
  const [asked, setTab] = useQueryParam<string>('tab', 'view')
  const wanted = TABS.find((tab) => tab === asked) ?? 'view'
  const tab = signedIn ? wanted : 'pricing'
  const first = useRef(true)
  useEffect(() => {
    const isFirst = first.current
    first.current = false
    if (!signedIn) return
    const last = TABS.find((name) => name === kept(KEPT))
    if (isFirst && !restored && !saysWhere() && last && last !== 'view') {
      restored = true
      setTab(last)
      return
    }
    restored = true
    keep(KEPT, wanted)
  })
  const Recharges = slots.rechargeRecord
  return (
    <section aria-labelledby="api-title">
      {tab === 'view' ? null : (
        <h1 id="api-title" className="mb-5 text-20 font-bold">
          {t(`tab_${tab}`)}
        </h1>
      )}
      <Suspense
        fallback={
          tab === 'view' ? (
            <OverviewShape titleId="api-title" />
          ) : (
            <div className="card">
              <SkeletonRows rows={6} />
            </div>
          )
        }
      >
        {tab === 'view' ? <Overview titleId="api-title" autoRecharge={slots.autoRecharge} /> : null}
        {tab === 'rechargeRecord' ? Recharges ? <Recharges /> : null : null}
        {tab === 'billingDetails' ? <Billing /> : null}
        {tab === 'pricing' ? <Pricing /> : null}
        {!signedIn && wanted !== 'pricing' ? (
          <EmptyState title={t('signInHint')} action={<Button onClick={() => openDialog('auth', { mode: 'login' })}>{t('signIn')}</Button>} />
        ) : null}
      </Suspense>
    </section>
  )
}
