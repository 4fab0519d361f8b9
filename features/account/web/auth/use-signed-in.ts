import { useRouter } from '@tanstack/react-router'
import { closeDialog } from '#platform/web/state/dialogs.ts'
import { translate } from '#platform/web/i18n.ts'
import { startSession } from '#platform/web/state/session.ts'
import { removeStored } from '#platform/web/state/storage.ts'
import { toast } from '#ui/layers/toast.ts'
import type { LoginReply } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { clearDraft } from './draft.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'

/** Target after sign-in: the pending path, else `redirect`, else /api from the landing, invitation and sign-in pages, else this page. */
export function resolveSignInTarget(
  here: string,
  pathname: string,
  { pending, redirect }: { readonly pending: string | undefined; readonly redirect: string | undefined },
): string {
  return parseOwnPath(pending) ?? parseOwnPath(redirect) ?? (START_PATHS.test(pathname) ? '/api' : here)
}

/** Pages that a user leaves after signing in. */
const START_PATHS = /^\/(?:(?:en\/?)?|(?:embed-)?login|i\/[^/]+)$/

/** Never resolves: the form stays busy until the next page loads, so a second click does not sign in twice. */
const waitForNavigation = () => new Promise<never>(() => {})

/** Finishes a sign-in and navigates; reloads if the target is the same page (product.md 1.2). */
export function useSignedInGo(pending: string | undefined): (reply: LoginReply, done: 'auth_done_login' | 'auth_done_register') => Promise<never> {
  const router = useRouter()
  return ({ token }, done) => {
    const { pathname, href, search } = router.state.location
    const target = resolveSignInTarget(href, pathname, { pending, redirect: (search as { redirect?: string }).redirect })
    startSession(token)
    clearDraft()
    removeStored('invite')
    closeDialog('auth')
    if (target === href) location.reload()
    else {
      toast.success(translate(accountTexts, done))
      router.history.push(target)
    }
    return waitForNavigation()
  }
}
