import type { RegisteredRouter } from '@tanstack/react-router'
import { getCurrentLang } from '#platform/web/i18n.ts'
import { dropNotices } from '#platform/web/state/notice.ts'
import { onSessionEnd, type EndReason } from '#platform/web/state/session.ts'
import { isPublic } from '../access.ts'
import { toLangPath, plainPath } from '../lang-path.ts'

/** Milliseconds between the end of a session and the reload (product.md 1.4). */
const LEAVE_MS = 100
export const ENDED_SESSION_KEY = 'mx.left'

export interface EndedSession {
  readonly reason: EndReason
  /** The private page to return to after signing in. */
  readonly redirect?: string
}

/** Reloads, so that all state of the session is dropped; the next page shows the reason. */
function reloadAfter(ended: EndedSession, reload: () => void): void {
  try {
    sessionStorage.setItem(ENDED_SESSION_KEY, JSON.stringify(ended))
  } catch {
    // Without storage the reload shows no reason.
  }
  setTimeout(reload, LEAVE_MS)
}

/** True if the previous page was left because its session ended. */
export function hasEndedSession(): boolean {
  try {
    return sessionStorage.getItem(ENDED_SESSION_KEY) !== null
  } catch {
    return false
  }
}

/** Handles the end of a session: private pages redirect to the landing page, public pages reload in place. */
export function watchSessionEnd(router: RegisteredRouter): void {
  onSessionEnd((reason) => {
    dropNotices()
    // A sign-in form inside another page shows no message and stays (product.md 1.2).
    if (plainPath(location.pathname) === '/embed-login') return
    const { pathname, href, search } = router.state.location
    const toLanding = () => location.replace(toLangPath('/', getCurrentLang()))
    if (reason === 'signedOut') return reloadAfter({ reason }, toLanding)
    if (isPublic(pathname, search)) return reloadAfter({ reason }, () => location.reload())
    reloadAfter({ reason, redirect: href }, toLanding)
  })
}
