import { Link, Navigate } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { buttonClass } from '#ui/button.tsx'
import { shellTexts } from '../texts.ts'

/** Any other path falls to sign-in (specification 1, section 2); who is signed in already is told plainly. */
export function NotFound() {
  const t = useTexts(shellTexts)
  if (!useSignedIn()) return <Navigate to="/login" replace />
  return (
    <main id="main" tabIndex={-1} className="wrap-1200 flex min-h-[70vh] flex-col items-center justify-center py-16 text-center">
      <p className="num text-40 font-semibold text-fg-3">404</p>
      <h1 className="mt-2 text-20 font-bold">{t('notFoundTitle')}</h1>
      <p className="mt-2 text-14 text-fg-2">{t('notFoundBody')}</p>
      <Link to="/" className={buttonClass('primary', 'md', 'mt-6')}>
        {t('home')}
      </Link>
    </main>
  )
}
