import { CSPProvider } from '@base-ui/react/csp-provider'
import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { loadPendingStrip } from '#features/payments/web/index.tsx'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { useTitle } from '#platform/web/title.ts'
import { shellTexts } from '../texts.ts'
import { CONSOLE_GRID, CONSOLE_MAIN } from './console-frame.tsx'
import { ConsoleSideNav, TabBar } from './side-nav.tsx'
import { WebTopBar } from './top-bar.tsx'
import { navLines } from '../zones/zones.ts'

const readButtonName = (button: HTMLElement) => button.getAttribute('aria-label') ?? button.textContent.trim()

/**
 * Replays a press on the console's prerendered frame (boot.js) on the live layout's button of the same name. Runs once per page; later presses are
 * handled directly.
 */
function replayPress(): void {
  const root = document.documentElement
  if (root.dataset['live'] !== undefined) return
  root.dataset['live'] = ''
  const { __pressed: pressed } = window as { __pressed?: HTMLElement }
  if (!pressed) return
  const isIt = (button: HTMLElement) => readButtonName(button) === readButtonName(pressed) && button.offsetParent !== null
  const button = [...document.querySelectorAll<HTMLElement>('#root button')].find(isIt)
  button?.click()
}

const PendingOrder = lazyExtra(() => loadPendingStrip().then((m) => m.PendingOrderStrip))

/** 216 px of navigation beside the page; tabs at the bottom at 720 px and below. */
export function ConsoleLayout() {
  const mobile = useIsMobile()
  const signedIn = useSignedIn()
  const { pathname } = useLocation()
  useEffect(replayPress, [])
  return (
    <QueryProvider>
      {pathname === '/api' ? <ApiTitle /> : null}
      <CSPProvider disableStyleElements>
        <div className={CONSOLE_GRID}>
          {mobile ? null : <ConsoleSideNav signedIn={signedIn} />}
          <div className="min-w-0">
            <WebTopBar mobile={mobile} signedIn={signedIn} />
            <main id="main" tabIndex={-1} className={CONSOLE_MAIN}>
              <Suspense fallback={signedIn && readStored('pendingOrder') ? <PendingPlace /> : null}>
                <PendingOrder />
              </Suspense>
              <Outlet />
            </main>
          </div>
          {mobile ? <TabBar signedIn={signedIn} /> : null}
        </div>
      </CSPProvider>
    </QueryProvider>
  )
}

/** As high as the strip of a pending order (features/payments/web/pending-strip.tsx), so that buttons below do not move. */
function PendingPlace() {
  return <div className="mb-5 h-[54px] mobile:h-[66px]" />
}

/** Sets the document title for the tabs of /api; other console pages set their own. */
function ApiTitle() {
  const t = useTexts(shellTexts)
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  useTitle(t(navLines.find((line) => line.path === '/api' && line.search?.['tab'] === tab)?.text ?? 'titleConsole'))
  return null
}
