import { translate } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { webTexts } from '#platform/web/texts.ts'
import { toast } from '#ui/layers/toast.ts'
import { ENDED } from './session-end.ts'
import type { EndedSession } from './session-end.ts'
import { shellTexts } from '../texts.ts'

/** Shows, after the reload, why the session ended, and offers to sign in where a private page was left. Call once at start. */
export function showEndedSession(): void {
  const ended = takeEnded()
  if (!ended) return
  if (ended.reason === 'signedOut') return toast.success(translate(shellTexts, 'signedOut'))
  toast.warning(translate(webTexts, ended.reason === 'elsewhere' ? 'signedOutElsewhere' : 'sessionExpired'))
  if (ended.redirect) openDialog('auth', { mode: 'login', redirect: ended.redirect })
}

function takeEnded(): EndedSession | undefined {
  try {
    const kept = sessionStorage.getItem(ENDED)
    sessionStorage.removeItem(ENDED)
    return kept ? (JSON.parse(kept) as EndedSession) : undefined
  } catch {
    return undefined
  }
}
