import { translate } from '#platform/web/i18n.ts'
import { toast } from './layers/toast.ts'
import { uiTexts } from './texts.ts'

/** Milliseconds that the warning about a blocked window stays (product.md 1.8). */
export const BLOCKED_WARNING_MS = 2_000

/**
 * Opens an address of a vendor in a new window, from inside a press. A blocked one is reported for two seconds
 * (product.md 1.8) and answered with undefined: the caller shows a link instead. The referrer is sent, cashiers want it.
 */
export function openWindow(url: string, name = '_blank', features?: string): Window | undefined {
  const opened = window.open(url, name, features) ?? undefined
  if (!opened || opened.closed) {
    toast.warning(translate(uiTexts, 'popupBlocked'), BLOCKED_WARNING_MS)
    return undefined
  }
  return opened
}
