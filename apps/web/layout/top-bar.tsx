import { lazy, Suspense } from 'react'
import { openDialog } from '#platform/web/dialogs.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { Button } from '#ui/button.tsx'
import { shellTexts } from '../texts.ts'
import { BalancePill } from './balance-pill.tsx'
import { BrandLink } from './brand.tsx'
import { LangSwitch } from './lang-switch.tsx'

const Menus = lazy(() => import('./menus.tsx').then((m) => ({ default: m.Menus })))

export function TopBar() {
  const t = useTexts(shellTexts)
  const mobile = useIsMobile()
  const signedIn = useSignedIn()
  const menus = mobile || !signedIn ? 1 : 2
  return (
    <header className="sticky top-0 z-100 flex h-[60px] items-center gap-2 border-b border-line bg-bg px-6 mobile:px-5">
      {mobile ? <BrandLink /> : null}
      <div className="ml-auto flex items-center gap-1.5">
        {signedIn ? (
          <>
            <BalancePill />
            <Button size="sm" className="mr-1.5" onClick={() => openDialog('recharge')}>
              {t('recharge')}
            </Button>
          </>
        ) : null}
        {mobile && signedIn ? null : <LangSwitch />}
        <Suspense
          fallback={Array.from({ length: menus }, (_, index) => (
            <span key={index} className="size-10 mobile:size-11" />
          ))}
        >
          <Menus signedIn={signedIn} mobile={mobile} />
        </Suspense>
        {signedIn ? null : (
          <Button size="sm" onClick={() => openDialog('auth', { mode: 'login' })}>
            {t('signIn')}
          </Button>
        )}
      </div>
    </header>
  )
}
