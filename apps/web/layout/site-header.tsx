import { Link, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { getButtonClass } from '#ui/button.tsx'
import { shellTexts } from '../texts.ts'
import { BackLink } from './back-link.tsx'
import { BrandLink } from './brand.tsx'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { MobileMenu } from './menus/mobile-menu.tsx'
import { ServicesMenu } from './menus/services-menu.tsx'
import { ThemeDrop } from './menus/theme-drop.tsx'
import { usePastBanner } from './use-past-banner.ts'

const SiteAccount = lazyExtra(() => import('./site-account.tsx').then((m) => m.SiteAccount))

/** Black over the hero, the page's own colour after it; only colours change, so nothing moves. */
export function SiteHeader() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const ink = !usePastBanner(pathname)
  return (
    <header
      data-tone={ink ? 'ink' : 'page'}
      className={`site-header sticky top-0 z-100 border-b ${ink ? 'on-ink border-ink-line bg-ink text-ink-fg' : 'border-line bg-bg text-fg'}`}
    >
      <div className="wrap-1200 flex h-[60px] items-center gap-6 mobile:gap-1">
        {pathname === '/' ? (
          <BrandLink />
        ) : (
          <>
            <span className="desktop:hidden">
              <BackLink up="/" />
            </span>
            <BrandLink className="mobile:hidden" />
          </>
        )}
        <nav aria-label={t('navMain')} className="mobile:hidden">
          <Links ink={ink} />
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <span className="contents mobile:hidden">
            <ThemeDrop />
          </span>
          <LangSwitch />
          <Person ink={ink} />
          <span className="desktop:hidden">
            <MobileMenu />
          </span>
        </div>
      </div>
    </header>
  )
}

function Links({ ink }: { readonly ink: boolean }) {
  const t = useTexts(shellTexts)
  const tone = ink ? 'text-ink-fg-2 hover:text-ink-fg' : 'text-fg-2 hover:text-fg'
  const look = `header-link inline-flex min-h-11 items-center rounded-control px-2.5 text-14 no-underline ${tone}`
  return (
    <ul className="flex">
      <li>
        <ServicesMenu buttonClass={look} />
      </li>
      <li>
        <Link to="/pricing" className={look}>
          {t('navPrices')}
        </Link>
      </li>
      <li>
        <Link to="/help" className={look}>
          {t('navHelp')}
        </Link>
      </li>
      {/* the last, so that nothing moves when it gives way to the button */}
      {useSignedIn() ? null : (
        <li>
          <Link to="/api" className={look}>
            {t('navConsole')}
          </Link>
        </li>
      )}
    </ul>
  )
}

/** Sign in; or the person with their settings. Both take the same room, because who it is becomes known later. */
function Person({ ink }: { readonly ink: boolean }) {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const look = getButtonClass(ink ? 'ink' : 'primary', 'sm', 'ml-2 min-w-[72px] px-4 mobile:ml-1 mobile:px-3')
  if (useSignedIn())
    return (
      <>
        <Link to="/api" className={look}>
          {t('navConsole')}
        </Link>
        <span className="size-10 mobile:hidden">
          <Suspense>
            <SiteAccount />
          </Suspense>
        </span>
      </>
    )
  if (pathname === '/login') return null
  return (
    <button type="button" className={look} onClick={() => openDialog('auth', { mode: 'login' })}>
      {t('signIn')}
    </button>
  )
}
