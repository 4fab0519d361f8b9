import { openDialog } from '#platform/web/dialogs.ts'
import { translate } from '#platform/web/i18n.ts'
import { dropNotices } from '#platform/web/notice.ts'
import { onSessionEnd } from '#platform/web/session.ts'
import { webTexts } from '#platform/web/texts.ts'
import { toast } from '#ui/toast.ts'
import { isPublic } from './access.ts'
import type { AppRouter } from './router.tsx'
import { shellTexts } from './texts.ts'

/** A session that ends leaves private pages for the landing page; an expired one offers to sign in and come back. */
export function watchSessionEnd(router: AppRouter): void {
  onSessionEnd((reason) => {
    const { pathname, href, search } = router.state.location
    const stays = isPublic(pathname, search)
    dropNotices()
    if (!stays) void router.navigate({ to: '/' })
    if (reason === 'signedOut') return toast.success(translate(shellTexts, 'signedOut'))
    // Whoever is about to sign in inside another page need not hear that they are not (specification 1, section 8).
    if (pathname === '/embed-login') return
    toast.warning(translate(webTexts, reason === 'elsewhere' ? 'signedOutElsewhere' : 'sessionExpired'))
    if (!stays) openDialog('auth', { mode: 'login', redirect: href })
  })
}
