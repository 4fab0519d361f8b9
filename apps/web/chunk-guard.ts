import { isPageBusy, useNewVersion } from './version-watch.ts'

const KEY = 'mx.chunk'
const PAUSE_MS = 10_000

/**
 * After a deployment old chunks are gone: reload once, and at most once per ten seconds, else show the error page. A partly filled form is
 * not discarded: the bar of the new version asks. Without a network a deployment cannot be detected, and a reload would end at the
 * browser's error page.
 */
export function reloadOnce(): boolean {
  if (!navigator.onLine) return false
  if (isPageBusy()) {
    useNewVersion.setState({ waiting: true })
    return false
  }
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < PAUSE_MS) return false
    sessionStorage.setItem(KEY, String(Date.now()))
  } catch {
    return false
  }
  location.reload()
  return true
}

export function guardChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    if (reloadOnce()) event.preventDefault()
  })
}
