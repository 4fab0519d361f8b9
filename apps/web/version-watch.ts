import { create } from 'zustand'
import { hasUnsaved } from '#platform/web/state/unsaved.ts'

const CHECK_MS = 7_200_000

/** Another build is available, and a reload would lose the user's input: the user decides when. */
export const useNewVersion = create<{ readonly waiting: boolean }>(() => ({ waiting: false }))

/**
 * Detects a new build while a page stays open: compares its build with /version.json every two hours while the page is visible, and when it
 * becomes visible after that long, and reloads.
 */
export function watchVersion(): void {
  const mine = import.meta.env['VITE_VERSION'] as string | undefined
  if (!mine || mine === 'dev') return
  let asked = Date.now()
  const ask = () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < CHECK_MS) return
    asked = Date.now()
    void checkVersion(mine)
  }
  setInterval(ask, CHECK_MS)
  document.addEventListener('visibilitychange', ask)
}

async function checkVersion(mine: string): Promise<void> {
  try {
    const reply = await fetch(`/version.json?t=${Date.now()}`, { cache: 'no-store' })
    const { version } = (await reply.json()) as { version?: string }
    if (!version || version === mine) return
    if (isPageBusy()) useNewVersion.setState({ waiting: true })
    else location.reload()
  } catch {
    // Ignored (product.md 1.8): the next check comes in two hours.
  }
}

/** True if there is unsaved input, or an open dialog that may be in the middle of a payment. */
export function isPageBusy(): boolean {
  return hasUnsaved() || document.querySelector('[role="dialog"]:not([aria-modal="false"]),[role="alertdialog"],dialog[open]') !== null
}
