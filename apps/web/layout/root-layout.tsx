import { Outlet } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'
import { Hosts } from './hosts.tsx'

export function WebRootLayout() {
  const t = useTexts(shellTexts)
  return (
    <>
      <a href="#main" className="sr-only z-3100 rounded-control bg-fg px-4 py-2 text-14 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        {t('skip')}
      </a>
      <div id="strip" className="min-h-(--strip)" />
      <Outlet />
      <Hosts />
    </>
  )
}
