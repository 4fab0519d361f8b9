import { translate } from '#platform/web/i18n.ts'
import { toast } from './layers/toast.ts'
import { uiTexts } from './texts.ts'

/** Milliseconds that the warning about a blocked window stays (product.md 1.8). */
export const BLOCKED_WARNING_MS = 2_000

/**
 * Opens a vendor's address in a new window; call it inside a press. If the window is blocked, shows a warning for two seconds
 * (product.md 1.8) and returns undefined: the caller then shows a link. The referrer is sent, because cashiers require it.
 */
export function openWindow(url: string, name = '_blank', features?: string): Window | undefined {
  const opened = window.open(url, name, features) ?? undefined
  if (!opened || opened.closed) {
    toast.warning(translate(uiTexts, 'popupBlocked'), BLOCKED_WARNING_MS)
    return undefined
  }
  return opened
}
