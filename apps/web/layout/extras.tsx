import { useLocation, useRouter, type RegisteredRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { loadFlags } from '#platform/web/state/load-flags.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useDevPanel } from '../dev-panel/visibility.ts'
import { useShortcuts } from '../keys/use-shortcuts.ts'
import { PageNoticeBars } from '../overlays/bars.tsx'
import { FrameWarning } from '../overlays/frame-warning.tsx'
import { loadMenus } from './menus/load-menus.ts'

const MaintenanceStrip = lazyExtra(() => import('../overlays/maintenance-strip.tsx').then((m) => m.MaintenanceStrip))
const AnnouncementStrip = lazyExtra(() => import('../overlays/announcement-strip.tsx').then((m) => m.AnnouncementStrip))
const OneTimeNotices = lazyExtra(() => import('../overlays/one-time.tsx').then((m) => m.OneTimeNotices))
const DevPanel = lazyExtra(() => import('../dev-panel/dev-panel.tsx').then((m) => m.DevPanel))

const FLAGS_MS = 60_000

let commandRunner: ((command: string, router: RegisteredRouter) => void) | undefined
/** Loads the command runner lazily: its dependencies (console lines, icons) do not belong in a public page's first load. */
const loadCommandRunner = async () => (commandRunner ??= (await import('../palette/run-command.ts')).runPaletteCommand)

function runLazily(command: string, router: RegisteredRouter): void {
  if (commandRunner) commandRunner(command, router)
  else
    loadCommandRunner().then(
      (now) => now(command, router),
      () => undefined,
    )
}

/** Optional parts of every page, loaded when the page is idle. */
export function Extras() {
  const router = useRouter()
  const { pathname } = useLocation()
  const signedIn = useSignedIn()
  const hasDevPanel = useDevPanel((state) => state.shown)
  useShortcuts(useCallback((command: string) => runLazily(command, router), [router]))
  useEffect(watchFlags, [])
  useEffect(() => {
    loadMenus().catch(() => undefined)
    loadCommandRunner().catch(() => undefined)
  }, [])
  return (
    <>
      <PageNoticeBars />
      {window.top === window.self || pathname === '/embed-login' ? null : <FrameWarning />}
      <Suspense>
        <MaintenanceStrip />
        <AnnouncementStrip />
        {signedIn ? <OneTimeNotices /> : null}
        {hasDevPanel ? <DevPanel /> : null}
      </Suspense>
    </>
  )
}

/** Loads the feature flags now, and when the page becomes visible again after a minute or more. */
function watchFlags(): () => void {
  let asked = Date.now()
  void loadFlags()
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < FLAGS_MS) return
    asked = Date.now()
    void loadFlags()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
