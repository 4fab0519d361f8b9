import { Link } from '@tanstack/react-router'
import { ArrowLeft, MessageSquareText } from 'lucide-react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { openSupport, useSupport } from '#platform/web/state/support.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { openingTexts } from './texts.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

/** Layout without navigation: brand, help, and an exit that loses nothing. */
export function OpeningShell({ children }: { readonly children: ReactNode }) {
  const t = useTexts(openingTexts)
  const mobile = useIsMobile()
  useTitle(t('title'))
  // The header has a support button, so none floats above the papers.
  useEffect(() => {
    useSupport.setState({ hasPlace: true })
    return () => useSupport.setState({ hasPlace: false })
  }, [])
  return (
    <QueryProvider>
      <CSPProvider disableStyleElements>
        <div className="min-h-screen bg-bg">
          <header className="sticky top-0 z-100 border-b border-line bg-bg">
            <div className="mx-auto flex h-[60px] max-w-[1440px] items-center gap-4 px-6 mobile:gap-2 mobile:px-3">{mobile ? <Mobile /> : <Desktop />}</div>
          </header>
          <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1176px] px-6 py-8 outline-none mobile:px-5 mobile:pt-5 mobile:pb-32">
            {children}
          </main>
        </div>
      </CSPProvider>
    </QueryProvider>
  )
}

function Desktop() {
  const t = useTexts(openingTexts)
  const lang = useLang()
  return (
    <>
      <Link to="/" className="inline-flex min-h-11 items-center text-18 font-bold no-underline">
        {chooseBrand(lang, site)}
      </Link>
      <span className="h-5 w-px bg-line" aria-hidden="true" />
      <span className="text-14 text-fg-2">{t('title')}</span>
      <button type="button" onClick={() => openSupport({ topic: 'account' })} className={getButtonClass('ghost', 'sm', 'ml-auto')}>
        <MessageSquareText size={16} strokeWidth={1.75} aria-hidden="true" />
        {t('support')}
      </button>
      <Link to="/card" className={getButtonClass('secondary', 'sm')}>
        {t('saveExit')}
      </Link>
    </>
  )
}

function Mobile() {
  const t = useTexts(openingTexts)
  return (
    <>
      <Link to="/card" className="icon-btn" aria-label={t('back')}>
        <ArrowLeft size={20} strokeWidth={1.75} aria-hidden="true" />
      </Link>
      <span className="text-16 font-bold">{t('title')}</span>
      <button type="button" onClick={() => openSupport({ topic: 'account' })} className="icon-btn ml-auto" aria-label={t('support')}>
        <MessageSquareText size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <Link to="/card" className="inline-flex min-h-11 items-center px-2 text-14 font-semibold no-underline">
        {t('exit')}
      </Link>
    </>
  )
}
