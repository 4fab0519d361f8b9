import { translate } from '#platform/web/i18n.ts'
import { toast } from './layers/toast.ts'
import { uiTexts } from './texts.ts'

const WARNING_MS = 2_000

/**
 * Opens an address of a vendor in a new window, from inside a press. A blocked one is said for two seconds (specification
 * 1, section 8) and answered with undefined: the caller shows a link instead. The referrer is sent, cashiers want it.
 */
export function openWindow(url: string, name = '_blank', features?: string): Window | undefined {
  const opened = window.open(url, name, features) ?? undefined
  if (!opened || opened.closed) {
    toast.warning(translate(uiTexts, 'popupBlocked'), WARNING_MS)
    return undefined
  }
  return opened
}
