import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { shellTexts } from '../texts.ts'
import { BrandLink } from './brand.tsx'
import { LangChoice } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'

const linkClass = 'inline-flex min-h-9 items-center text-left text-fg-2 no-underline hover:text-fg hover:underline underline-offset-4 mobile:min-h-11'

export function SiteFooter() {
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
