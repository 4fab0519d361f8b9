import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { reloadOnce } from '../chunk-guard.ts'
import { sendPageError } from '../send-page-error.ts'
import { shellTexts } from '../texts.ts'

/** Error page for failures in which header and footer could not be rendered either. */
export function WholeErrorPage(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <ErrorPage {...props} />
    </main>
  )
}

/** Shown when a page fails, or when its chunks are gone after a deployment. Plain links, because the router may be what broke. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const t = useTexts(shellTexts)
  useEffect(() => {
    sendPageError('page', error)
    if (/dynamically imported module|Importing a module script|preload CSS/i.test(String(error))) reloadOnce()
  }, [error])
  return (
    <div className="wrap-1200 flex min-h-[70vh] flex-col items-center justify-center py-16 text-center">
      <svg width="56" height="68" viewBox="0 0 56 68" fill="none" stroke="currentColor" strokeWidth="1.5" className="text-control" aria-hidden="true">
        <path d="M1 1h54v28l-9 7-9-7-9 7-9-7-9 7-9-7z" />
        <path d="M1 40l9 7 9-7 9 7 9-7 9 7 9-7v26H1z" />
        <path d="M12 12h16M12 20h10M12 57h32" strokeLinecap="round" />
      </svg>
      <h1 className="mt-6 max-w-xl text-20 font-bold">{t('errorTitle')}</h1>
      <p className="mt-2 text-14 text-fg-2">{t('errorBody')}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <a href="/" className={getButtonClass('secondary')}>
          {t('home')}
        </a>
        <Button onClick={() => location.reload()}>{t('refresh')}</Button>
      </div>
    </div>
  )
}
