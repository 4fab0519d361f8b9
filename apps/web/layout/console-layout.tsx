import { CSPProvider } from '@base-ui/react/csp-provider'
import { Outlet, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { QueryProvider } from '#platform/web/query.tsx'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { shellTexts } from '../texts.ts'
import { apiTabs } from './nav-items.ts'
import { SideNav, TabBar } from './side-nav.tsx'
import { TopBar } from './top-bar.tsx'

const PendingOrder = lazy(() => import('#features/payments/web/index.tsx').then((m) => ({ default: m.PendingOrderStrip })))

/** 216 px of navigation beside the page; at 720 px and below, tabs under the thumb. */
export function ConsoleLayout() {
  const mobile = useIsMobile()
  const t = useTexts(shellTexts)
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  useTitle(t(apiTabs.find((item) => item.tab === tab)?.text ?? 'titleConsole'))
  return (
    <QueryProvider>
      <CSPProvider disableStyleElements>
        <div className="min-h-screen desktop:grid desktop:grid-cols-[216px_minmax(0,1fr)]">
          {mobile ? null : <SideNav />}
          <div className="min-w-0">
            <TopBar />
            <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1488px] px-6 pt-6 pb-16 mobile:px-5 mobile:pt-5 mobile:pb-28">
              <Suspense>
                <PendingOrder />
              </Suspense>
              <Outlet />
            </main>
          </div>
          {mobile ? <TabBar /> : null}
        </div>
      </CSPProvider>
    </QueryProvider>
  )
}
