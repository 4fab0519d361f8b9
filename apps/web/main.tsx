import '#ui/styles/index.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { watchDevice } from '#platform/web/device.ts'
import { loadPseudoTexts, watchLang } from '#platform/web/i18n.ts'
import { resumeDialogs } from '#platform/web/state/resume-dialogs.ts'
import { watchSession, getSessionToken } from '#platform/web/state/session.ts'
import { watchTheme } from '#platform/web/theme.ts'
import { watchUnsaved } from '#platform/web/state/unsaved.ts'
import { guardChunks } from './chunk-guard.ts'
import { followLang } from './lang-path.ts'
import { createWebRouter } from './router.tsx'
import { hasEndedSession, watchSessionEnd } from './session/session-end.ts'
import { watchVersion } from './version-watch.ts'
import { watchPageErrors } from './send-page-error.ts'
import { gateDialog, openDialog } from '#platform/web/state/dialogs.ts'
import { isFeatureOn, warnFeatureOff } from '#platform/web/state/flags.ts'

const rootElement = document.getElementById('root')!

/** Yields between steps of the start, so that the browser can paint and handle input. */
const yieldToBrowser = () => new Promise<void>((go) => setTimeout(go))

/** Replays a press from before the code had loaded (boot.js): React hydrates the button at once and handles it. The console uses `replayPress`. */
function replayEarlyPress() {
  document.documentElement.dataset['live'] = ''
  const { __pressed: button } = window as { __pressed?: HTMLElement }
  if (button?.isConnected) button.click()
}

/** Preloads the page's own chunks once the frame's code is here: earlier, they would delay the frame. */
function preloadPage() {
  for (const file of document.documentElement.dataset['later']?.split(' ').filter(Boolean) ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = `/${file}`
    document.head.append(link)
  }
}

/** Reports the error that a second, synchronous render recovered from: React's own error only reports that there was one. */
const ROOT = {
  onRecoverableError: (error: unknown) => reportError(error instanceof Error && error.cause !== undefined ? error.cause : error),
}

async function start() {
  preloadPage()
  await yieldToBrowser()
  watchPageErrors()
  guardChunks()
  gateDialogs()
  watchUnsaved()
  watchLang()
  await loadPseudoTexts()
  watchTheme()
  watchDevice()
  watchSession()
  if (location.hash.startsWith('#view=') || window.name === 'mx.view') (await import('./view-as.ts')).startView()
  watchVersion()
  await yieldToBrowser()
  const router = createWebRouter()
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
  watchSessionEnd(router)
  await yieldToBrowser()
  if (document.documentElement.dataset['frame'] !== undefined) {
    // The prerendered frame of the console stays until the page is ready (layout/console-frame.tsx).
    await router.load()
    delete document.documentElement.dataset['bare']
    createRoot(rootElement, ROOT).render(app)
  } else if (rootElement.firstChild) {
    // Hydrates a prerendered page once its code is loaded, so that nothing moves. `ssr` makes the router render the server's markup; it has
    // no other use here: data comes with the page (platform/web/page-data.tsx).
    router.ssr = { manifest: undefined }
    await router.load()
    // As a transition: hydrates in slices, between which the page scrolls and responds.
    startTransition(() => void hydrateRoot(rootElement, app, ROOT))
    replayEarlyPress()
  } else createRoot(rootElement, ROOT).render(app)
  followLang(router)
  if (hasEndedSession()) void import('./session/ended-session.ts').then((module) => module.showEndedSession())
  resumeDialogs()
}

// boot.js may be redirecting to the page's other address.
if (document.documentElement.dataset['leaving'] === undefined) void start()

/** Registers the gates of dialogs; call once at start. */
function gateDialogs(): void {
  // An existing order may still be paid while new ones are switched off.
  gateDialog('recharge', ({ orderNo }) => {
    if (orderNo || isFeatureOn('recharge')) return true
    void warnFeatureOff()
    return false
  })
  gateDialog('withdraw', () => {
    if (isFeatureOn('withdrawal')) return true
    void warnFeatureOff()
    return false
  })
  gateDialog('complaint', () => {
    if (getSessionToken()) return true
    openDialog('auth', { mode: 'login' })
    return false
  })
}
