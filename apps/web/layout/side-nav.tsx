import { Link, useSearch } from '@tanstack/react-router'
import { House } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { shellTexts } from '../texts.ts'
import { BrandLink } from './brand.tsx'
import { apiTabs } from './nav-items.ts'

function useTabs() {
  const signedIn = useSignedIn()
  const search = useSearch({ strict: false }) as { tab?: string }
  const current = search.tab ?? 'view'
  return apiTabs.filter((item) => signedIn || item.visitors).map((item) => ({ ...item, current: item.tab === current }))
}

export function SideNav() {
  const t = useTexts(shellTexts)
  const tabs = useTabs()
  const look = 'flex min-h-10 items-center gap-2.5 rounded-control border px-3 text-14 no-underline'
  return (
    <aside className="sticky top-0 flex h-screen flex-col border-r border-line bg-sunken px-3 pb-4">
      <div className="flex h-[60px] items-center px-3">
        <BrandLink />
      </div>
      <nav aria-label={t('navMain')} className="mt-3 flex flex-1 flex-col">
        <p className="px-3 pb-1.5 text-12 text-fg-3">{t('groupApi')}</p>
        <ul className="flex flex-col gap-0.5">
          {tabs.map(({ tab, text, Icon, current }) => (
            <li key={tab}>
              <Link
                to="/api"
                search={tab === 'view' ? {} : { tab }}
                aria-current={current ? 'page' : undefined}
                className={`${look} ${current ? 'border-line bg-surface font-semibold text-fg' : 'border-transparent text-fg-2 hover:text-fg'}`}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                {t(text)}
              </Link>
            </li>
          ))}
        </ul>
        <Link to="/" className={`${look} mt-auto border-transparent text-fg-2 hover:text-fg`}>
          <House size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('home')}
        </Link>
      </nav>
    </aside>
  )
}

/** Under the thumb on mobile; visitors have one page only and need no bar. */
export function TabBar() {
  const t = useTexts(shellTexts)
  const tabs = useTabs()
  if (tabs.length < 2) return null
  return (
    <nav aria-label={t('navMain')} className="fixed inset-x-0 bottom-0 z-100 border-t border-line bg-surface">
      <ul className="grid grid-cols-4">
        {tabs.map(({ tab, text, Icon, current }) => (
          <li key={tab}>
            <Link
              to="/api"
              search={tab === 'view' ? {} : { tab }}
              aria-current={current ? 'page' : undefined}
              className={`flex min-h-14 flex-col items-center justify-center gap-0.5 px-1 text-center text-12 leading-4 no-underline -outline-offset-2 ${current ? 'font-semibold text-brand-text' : 'text-fg-2'}`}
            >
              <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
              {t(text)}
            </Link>
          </li>
        ))}
      </ul>
      <div className="safe-bottom" />
    </nav>
  )
}
