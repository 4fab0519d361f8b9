import { Outlet, Link, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { shellTexts } from '../texts.ts'
import { BrandLink } from './brand.tsx'
import { LangChoice, LangSwitch } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { getButtonClass } from '#ui/button.tsx'
import { BackLink } from './back-link.tsx'
import { MobileMenu } from './menus/mobile-menu.tsx'
import { ServicesMenu } from './menus/services-menu.tsx'
import { ThemeDrop } from './menus/theme-drop.tsx'

const HEADER = 60

/** True once the page is scrolled past the element marked `data-banner`; pages without one are past it from the start. */
function usePastBanner(path: string): boolean {
  const landing = path === '/'
  const [past, setPast] = useState(!landing)
  useEffect(() => {
    if (!landing) {
      setPast(true)
      return
    }
    const check = () => {
      const banner = document.querySelector('[data-banner]')
      setPast(banner ? banner.getBoundingClientRect().bottom < HEADER : scrollY > 600)
    }
    check()
    addEventListener('scroll', check, { passive: true })
    addEventListener('resize', check)
    return () => {
      removeEventListener('scroll', check)
      removeEventListener('resize', check)
    }
  }, [landing])
  return landing ? past : true
}

const SiteAccount = lazyExtra(() => import('./site-account.tsx').then((m) => m.SiteAccount))

/** Black over the hero, then the page's own colour; only colours change, so nothing moves. */
function SiteHeader() {
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

/** Shows the sign-in link, or the user's settings. Both have the same width, because the session is known only later. */
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

const linkClass = 'inline-flex min-h-9 items-center text-left text-fg-2 no-underline hover:text-fg hover:underline underline-offset-4 mobile:min-h-11'

function SiteFooter() {
  const t = useTexts(shellTexts)
  const year = new Date().getFullYear()
  return (
    <footer className="border-t border-line bg-sunken text-14 text-fg-2">
      <div className="wrap-1200 pt-10 pb-8">
        <div className="grid grid-cols-[1fr_auto_auto_auto] gap-x-16 gap-y-8 mobile:grid-cols-2 mobile:gap-x-6">
          <div className="mobile:col-span-2">
            <BrandLink className="text-fg" />
            <p className="text-13 text-fg-3">{t('footLine')}</p>
          </div>
          <Column title={t('footProduct')}>
            <Link to="/pricing" className={linkClass}>
              {t('navPrices')}
            </Link>
            <Link to="/api" className={linkClass}>
              {t('navConsole')}
            </Link>
            <Link to="/service" className={linkClass}>
              {t('allServices')}
            </Link>
            <Link to="/compatibility" className={linkClass}>
              {t('compatibility')}
            </Link>
          </Column>
          <Column title={t('footSupport')}>
            <Link to="/help" className={linkClass}>
              {t('helpCentre')}
            </Link>
            <a href={`mailto:${site.supportEmail}`} className={linkClass}>
              {t('contact')}
            </a>
            <button type="button" className={linkClass} onClick={() => openDialog('complaint')}>
              {t('complaint')}
            </button>
          </Column>
          <Column title={t('footLegal')}>
            <Link to="/terms" className={linkClass}>
              {t('terms')}
            </Link>
            <Link to="/protocol" className={linkClass}>
              {t('protocol')}
            </Link>
            <Link to="/privacy" className={linkClass}>
              {t('privacy')}
            </Link>
          </Column>
        </div>
        <hr className="receipt-rule mt-8 mb-6" />
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <p className="text-13 text-fg-3">
            <span className="tabular" suppressHydrationWarning>
              © {year}–{year + 1}
            </span>{' '}
            {site.company}
          </p>
          <div className="flex flex-wrap gap-2">
            <LangChoice />
            <ThemeChoice />
          </div>
        </div>
      </div>
    </footer>
  )
}

function Column({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  return (
    <section>
      <h2 className="pb-1 text-13 font-medium text-fg-3">{title}</h2>
      <ul>
        {children.map((child, index) => (
          <li key={index}>{child}</li>
        ))}
      </ul>
    </section>
  )
}

/** Layout of landing, terms, privacy and sign-in: header, page, footer. */
export function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  )
}

export function SiteFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-screen flex-col">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}
