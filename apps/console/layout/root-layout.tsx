import { lazy, Suspense } from 'react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useConfirmStore } from '#ui/layers/confirm.ts'
import { useToastStore } from '#ui/layers/toast.ts'
import { CommandHosts, kitTexts } from '#features/backoffice/console/index.tsx'
import { Door } from './door.tsx'
import { OperatorFrame } from './frame.tsx'

const ConfirmHost = lazy(() => import('#ui/layers/confirm-host.tsx').then((module) => ({ default: module.ConfirmHost })))
const ToastHost = lazy(() => import('#ui/layers/toast-host.tsx').then((module) => ({ default: module.ToastHost })))

/** Root of the operators' app: the sign-in at any address without a session, else the frame with the screen. */
export function OperatorRootLayout() {
  const t = useTexts(kitTexts)
  const signedIn = useSignedIn()
  const { pathname } = useLocation()
  const hasConfirm = useConfirmStore((state) => state.used)
  const hasToast = useToastStore((state) => state.toast !== undefined)
  return (
    <>
      <a href="#main" className="sr-only z-3100 rounded-control bg-fg px-4 py-2 text-14 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        {t('skip')}
      </a>
      <Suspense>
        {pathname === '/invite' ? (
          <Outlet />
        ) : signedIn ? (
          <OperatorFrame>
            <Outlet />
          </OperatorFrame>
        ) : (
          <Door />
        )}
      </Suspense>
      <CommandHosts />
      <Suspense>
        {hasConfirm ? <ConfirmHost /> : null}
        {hasToast ? <ToastHost /> : null}
      </Suspense>
    </>
  )
}
