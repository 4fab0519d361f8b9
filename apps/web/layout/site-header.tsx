import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { openDialog } from '#platform/web/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { buttonClass } from '#ui/button.tsx'
import { shellTexts } from '../texts.ts'
import { BrandLink } from './brand.tsx'
import { LangSwitch } from './lang-switch.tsx'
import { usePastBanner } from './use-past-banner.ts'

/** Black over the hero, the page's own colour after it. */
export function SiteHeader() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const past = usePastBanner(pathname)
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!open) return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [open])
  const ink = !past
  const word = t('menu')
  return (
    <header
      className={`sticky top-0 z-100 border-b transition-colors duration-160 ${ink ? 'on-ink border-ink-line bg-ink text-ink-fg' : 'border-line bg-bg text-fg'}`}
    >
      <div className="wrap-1200 flex h-[60px] items-center gap-8 mobile:gap-2">
        <BrandLink />
        <nav aria-label={t('navMain')} className="flex-1 mobile:hidden">
          <Links className="flex gap-1" ink={ink} />
        </nav>
        <div className="ml-auto flex items-center gap-2 mobile:gap-1">
          <LangSwitch />
          <SignIn ink={ink} />
          <button
            type="button"
            className="icon-btn -mr-2.5 desktop:hidden"
            aria-label={word}
            title={word}
            aria-expanded={open}
            aria-controls="site-menu"
            onClick={() => setOpen(!open)}
          >
            {open ? <X size={20} strokeWidth={1.75} aria-hidden="true" /> : <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />}
          </button>
        </div>
      </div>
      <nav id="site-menu" aria-label={word} hidden={!open} className={`border-t desktop:hidden ${ink ? 'border-ink-line' : 'border-line'}`}>
        <Links className="wrap-1200 flex flex-col py-2" ink={ink} onPick={() => setOpen(false)} />
      </nav>
    </header>
  )
}

function Links({ className, ink, onPick }: { readonly className: string; readonly ink: boolean; readonly onPick?: () => void }) {
  const t = useTexts(shellTexts)
  const look = `inline-flex min-h-11 items-center rounded-control px-3 text-14 no-underline mobile:px-0 mobile:text-16 ${ink ? 'text-ink-fg-2 hover:text-ink-fg' : 'text-fg-2 hover:text-fg'}`
  return (
    <ul className={className} onClick={onPick}>
      <li>
        <Link to="/api" search={{ tab: 'pricing' }} className={look}>
          {t('navPrices')}
        </Link>
      </li>
      <li>
        <Link to="/api" className={look} activeOptions={{ exact: true, includeSearch: true }}>
          {t('navConsole')}
        </Link>
      </li>
      <li>
        <Link to="/" hash="faq" className={look}>
          {t('navFaq')}
        </Link>
      </li>
    </ul>
  )
}

function SignIn({ ink }: { readonly ink: boolean }) {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const look = buttonClass(ink ? 'ink' : 'primary', 'sm', 'px-4 mobile:px-3')
  if (useSignedIn())
    return (
      <Link to="/api" className={look}>
        {t('navConsole')}
      </Link>
    )
  if (pathname === '/login') return null
  return (
    <button type="button" className={look} onClick={() => openDialog('auth', { mode: 'login' })}>
      {t('signIn')}
    </button>
  )
}
