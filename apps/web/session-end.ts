import type { RegisteredRouter } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { currentLang, translate } from '#platform/web/i18n.ts'
import { dropNotices } from '#platform/web/state/notice.ts'
import { onSessionEnd } from '#platform/web/state/session.ts'
import { webTexts } from '#platform/web/texts.ts'
import { toast } from '#ui/layers/toast.ts'
import { isPublic } from './access.ts'
import { langPath } from './lang-path.ts'
import { shellTexts } from './texts.ts'

const LEAVE_MS = 100
const SAID = 'mx.left'

/** Reloads on the landing page, which then says why. */
function leave(): void {
  try {
    sessionStorage.setItem(SAID, '1')
  } catch {
    // Nothing is said then.
  }
  setTimeout(() => location.replace(langPath('/', currentLang())), LEAVE_MS)
}

/** Call once at start, when the page is there. */
export function sayLeft(): void {
  try {
    if (sessionStorage.getItem(SAID) === null) return
    sessionStorage.removeItem(SAID)
  } catch {
    return
  }
  toast.success(translate(shellTexts, 'signedOut'))
}

/** A session that ends leaves private pages for the landing page; an expired one offers to sign in and come back. */
export function watchSessionEnd(router: RegisteredRouter): void {
  onSessionEnd((reason) => {
    const { pathname, href, search } = router.state.location
    const stays = isPublic(pathname, search)
    dropNotices()
    // everything of the session goes with the page (product.md 1.4)
    if (reason === 'signedOut') return leave()
    if (!stays) void router.navigate({ to: '/' })
    // Whoever is about to sign in inside another page need not hear that they are not (product.md 1.8).
    if (pathname === '/embed-login') return
    toast.warning(translate(webTexts, reason === 'elsewhere' ? 'signedOutElsewhere' : 'sessionExpired'))
    if (!stays) openDialog('auth', { mode: 'login', redirect: href })
  })
}
