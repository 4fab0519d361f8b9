import { useRouter } from '@tanstack/react-router'
import { closeDialog } from '#platform/web/dialogs.ts'
import { translate } from '#platform/web/i18n.ts'
import { ownPath } from '#platform/web/own-path.ts'
import { startSession } from '#platform/web/session.ts'
import { forget } from '#platform/web/storage.ts'
import { toast } from '#ui/toast.ts'
import { accountTexts } from '../texts.ts'

/**
 * What happens after signing in: the pending redirect, else the `redirect` parameter, else /api from the landing and
 * sign-in pages, else where one is; the same page is loaded anew (specification 1, section 2).
 */
export function useSignedInGo(pending: string | undefined): (token: string, done: 'auth_done_login' | 'auth_done_register') => void {
  const router = useRouter()
  return (token, done) => {
    const { pathname, href, search } = router.state.location
    const asked = ownPath(pending) ?? ownPath((search as { redirect?: string }).redirect)
    const target = asked ?? (pathname === '/' || pathname === '/login' ? '/api' : href)
    startSession(token)
    forget('invite')
    closeDialog('auth')
    if (target === href) return location.reload()
    toast.success(translate(accountTexts, done))
    router.history.push(target)
  }
}
