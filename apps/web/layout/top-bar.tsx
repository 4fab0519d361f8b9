import { useLocation } from '@tanstack/react-router'
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
import { BalancePill } from './balance-pill.tsx'
import { BrandLink } from './brand.tsx'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { MobileMenu } from './menus/mobile-menu.tsx'

const Menus = lazyExtra(() => import('./menus/menus.tsx').then((m) => m.Menus))

interface TopBarProps {
  readonly mobile: boolean
  readonly signedIn: boolean
  /** By the server, before the code is there: the menus are places only. */
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

/** Switched off it stays pressable, because a press says why. */
function RechargeButton() {
  const t = useTexts(shellTexts)
  const on = useFeature('recharge')
  return (
    <Button size="sm" variant={on ? 'primary' : 'secondary'} className="mr-1.5 mobile:hidden" onClick={() => openDialog('recharge')}>
      {t('recharge')}
    </Button>
  )
}

/** Looks like a field, because that is what opens. */
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
