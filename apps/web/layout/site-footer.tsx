import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { shellTexts } from '../texts.ts'
import { ThemeChoice } from './theme-choice.tsx'

export function SiteFooter() {
  const t = useTexts(shellTexts)
  const year = new Date().getFullYear()
  const look = 'inline-flex min-h-11 items-center text-fg-2 underline-offset-4 hover:underline'
  return (
    <footer className="border-t border-line bg-sunken text-14 text-fg-2">
      <div className="wrap-1200 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8">
        <p className="text-fg-3">
          <span className="tabular">
            © {year}–{year + 1}
          </span>{' '}
          {site.company}
        </p>
        <ul className="flex flex-wrap gap-x-6">
          <li>
            <Link to="/terms" className={look}>
              {t('terms')}
            </Link>
          </li>
          <li>
            <Link to="/privacy" className={look}>
              {t('privacy')}
            </Link>
          </li>
          <li>
            <a href={`mailto:${site.supportEmail}`} className={look}>
              {t('contact')}
            </a>
          </li>
        </ul>
        <ThemeChoice />
      </div>
    </footer>
  )
}
