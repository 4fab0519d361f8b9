import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { reloadOnce } from '../chunk-guard.ts'
import { shellTexts } from '../texts.ts'

/** When a page fails, or its code is gone after a deployment. Plain links: the router may be what broke. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const t = useTexts(shellTexts)
  useEffect(() => {
    if (/dynamically imported module|Importing a module script|preload CSS/i.test(String(error))) reloadOnce()
  }, [error])
  return (
    <main id="main" tabIndex={-1} className="wrap-1200 flex min-h-[70vh] flex-col items-center justify-center py-16 text-center">
      <h1 className="max-w-xl text-20 font-bold">{t('errorTitle')}</h1>
      <p className="mt-2 text-14 text-fg-2">{t('errorBody')}</p>
      <div className="mt-6 flex gap-3">
        <a href="/" className={buttonClass('secondary')}>
          {t('home')}
        </a>
        <Button onClick={() => location.reload()}>{t('refresh')}</Button>
      </div>
    </main>
  )
}
