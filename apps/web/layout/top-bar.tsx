import { useLocation, Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Suspense } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useFeature } from '#platform/web/state/flags.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { MOD_KEY } from '../keys/mod-key.ts'
import { shellTexts } from '../texts.ts'
import { BackLink } from './back-link.tsx'
import { BrandLink } from './brand.tsx'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { MobileMenu } from './menus/mobile-menu.tsx'
import { useQuery } from '@tanstack/react-query'
import { walletContract } from '#features/wallet/contract.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { UsdShort } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'

const api = createApi({ balanceInfo: walletContract.balanceInfo })

const HELD_MS = 10_000

/** Always in view; pages share it under the key ['wallet', 'balance'] and invalidate it when money moves. */
function BalancePill() {
  const t = useTexts(shellTexts)
  const { data } = useQuery({
    queryKey: ['wallet', 'balance'],
    queryFn: ({ signal }) => api.balanceInfo({}, { signal }),
    enabled: useSignedIn(),
    // A held amount is released or charged without user action, so poll.
    refetchInterval: ({ state }) => (state.data && state.data.held !== '0' ? HELD_MS : false),
  })
  return (
    <Link
      to="/api"
      search={{ tab: 'view' }}
      className="inline-flex min-h-8 items-center gap-2 rounded-full border border-line bg-surface px-3.5 text-13 no-underline hover:border-control mobile:min-h-11 mobile:px-3"
    >
      <span className="text-fg-2 whitespace-nowrap mobile:sr-only">{t('balance')}</span>
      <span className="num min-w-12 text-right font-semibold mobile:text-center">
        {data ? <UsdShort value={data.balance} kind="have" figure={FIGURES['balance.posted']} /> : '$–'}
      </span>
    </Link>
  )
}

const Menus = lazyExtra(() => import('./menus/menus.tsx').then((m) => m.Menus))

interface TopBarProps {
  readonly mobile: boolean
  readonly signedIn: boolean
  /** Rendered by the server before the code is loaded: menus are placeholders. */
  readonly drawn?: boolean
}

export function WebTopBar({ mobile, signedIn, drawn = false }: TopBarProps) {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const inner = pathname !== '/api'
  const places = Array.from({ length: mobile || !signedIn ? 1 : 2 }, (_, index) => <span key={index} className="size-10 mobile:size-11" />)
  return (
    <header className="sticky top-0 z-100 flex h-[60px] items-center gap-2 border-b border-line bg-bg px-6 mobile:px-5">
      {mobile ? inner ? <BackLink up="/api" /> : <BrandLink /> : <SearchButton />}
      <div className="ml-auto flex items-center gap-1.5 mobile:gap-1">
        {signedIn ? (
          <>
            <BalancePill />
            <RechargeButton />
          </>
        ) : null}
        {mobile && signedIn ? null : <LangSwitch />}
        {mobile && !signedIn ? null : <Suspense fallback={places}>{drawn ? places : <Menus signedIn={signedIn} mobile={mobile} />}</Suspense>}
        {signedIn ? null : (
          <Button size="sm" onClick={() => openDialog('auth', { mode: 'login' })}>
            {t('signIn')}
          </Button>
        )}
        {mobile ? <MobileMenu /> : null}
      </div>
    </header>
  )
}

/** Stays pressable when switched off, because a press explains why. */
function RechargeButton() {
  const t = useTexts(shellTexts)
  const on = useFeature('recharge')
  return (
    <Button size="sm" variant={on ? 'primary' : 'secondary'} className="mr-1.5 mobile:hidden" onClick={() => openDialog('recharge')}>
      {t('recharge')}
    </Button>
  )
}

/** Looks like a field, because a search field opens. */
function SearchButton() {
  const t = useTexts(shellTexts)
  return (
    <button
      type="button"
      onClick={() => openDialog('palette')}
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-9 w-[280px] min-w-0 shrink items-center gap-2.5 rounded-control border border-line bg-surface px-3 text-13 text-fg-3 hover:border-control"
    >
      <Search size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 truncate text-left">{t('search')}</span>
      <kbd className="kbd" aria-hidden="true">
        {MOD_KEY} K
      </kbd>
    </button>
  )
}
