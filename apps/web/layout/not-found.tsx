import { Link, Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { laterTexts } from '../texts-later.ts'
import { shellTexts } from '../texts.ts'

const SiteFrame = lazy(() => import('./site-layout.tsx').then((m) => ({ default: m.SiteFrame })))

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sign-in page explains that the requested address does not exist. */
    missing?: boolean
  }
}

/** Unknown paths redirect to the sign-in with an explanation (product.md 1.2); signed-in users see a not-found page. */
export function WebNotFound() {
  return useSignedIn() ? <Missing /> : <Navigate to="/login" replace state={{ missing: true }} />
}

function Missing() {
  const t = useTexts(shellTexts)
  const later = useTexts(laterTexts)
  useTitle(later('notFoundTitle'))
  return (
    <Suspense>
      <SiteFrame>
        <div className="wrap-1200 flex min-h-[60vh] flex-col items-center justify-center py-16 text-center">
          <p className="num text-40 font-semibold text-fg-3">404</p>
          <h1 className="mt-2 text-20 font-bold">{later('notFoundTitle')}</h1>
          <p className="mt-2 text-14 text-fg-2">{later('notFoundBody')}</p>
          <div className="mt-6 flex flex-wrap justify-center gap-3">
            <Link to="/" className={getButtonClass('secondary')}>
              {t('home')}
            </Link>
            <Link to="/api" className={getButtonClass('primary')}>
              {t('navConsole')}
            </Link>
          </div>
        </div>
      </SiteFrame>
    </Suspense>
  )
}
