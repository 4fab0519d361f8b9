import { translate } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { webTexts } from '#platform/web/texts.ts'
import { toast } from '#ui/layers/toast.ts'
import { ENDED_SESSION_KEY } from './session-end.ts'
import type { EndedSession } from './session-end.ts'
import { shellTexts } from '../texts.ts'

/** Shows, after the reload, why the session ended, and offers to sign in where a private page was left. Call once at start. */
export function showEndedSession(): void {
  const ended = takeEndedSession()
  if (!ended) return
  if (ended.reason === 'signedOut') return toast.success(translate(shellTexts, 'signedOut'))
  toast.warning(translate(webTexts, ended.reason === 'elsewhere' ? 'signedOutElsewhere' : 'sessionExpired'))
  if (ended.redirect) openDialog('auth', { mode: 'login', redirect: ended.redirect })
}

function takeEndedSession(): EndedSession | undefined {
  try {
    const kept = sessionStorage.getItem(ENDED_SESSION_KEY)
    sessionStorage.removeItem(ENDED_SESSION_KEY)
    return kept ? (JSON.parse(kept) as EndedSession) : undefined
  } catch {
    return undefined
  }
}
