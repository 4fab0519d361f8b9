import { useLocation, useSearch } from '@tanstack/react-router'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'
import { ConsoleSideNav, TabBar } from './side-nav.tsx'
import { WebTopBar } from './top-bar.tsx'
import { navLines } from '../zones/zones.ts'

export const CONSOLE_GRID = 'min-h-screen desktop:grid desktop:grid-cols-[216px_minmax(0,1fr)]'
export const CONSOLE_MAIN = 'mx-auto w-full max-w-[1488px] px-6 pt-6 pb-16 mobile:px-5 mobile:pt-5 mobile:pb-28'

/**
 * The console before its code has loaded, rendered by the server for signed-in users: navigation, bar and page title at their final places, for both
 * widths. boot.js keeps presses until the code is there.
 */
export function ConsoleFrame() {
  const { pathname } = useLocation()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const t = useTexts(shellTexts)
  const line = navLines.find((one) => one.path === pathname && one.search?.['tab'] === tab)
  return (
    <QueryProvider>
      {[false, true].map((mobile) => (
        <div key={String(mobile)} className={`${CONSOLE_GRID} ${mobile ? 'desktop:!hidden' : 'mobile:hidden'}`}>
          {mobile ? null : <ConsoleSideNav signedIn />}
          <div className="min-w-0">
            <WebTopBar mobile={mobile} signedIn drawn />
            <main className={CONSOLE_MAIN}>{line ? <h1 className="text-20 font-bold">{t(line.text)}</h1> : null}</main>
          </div>
          {mobile ? <TabBar signedIn /> : null}
        </div>
      ))}
    </QueryProvider>
  )
}
