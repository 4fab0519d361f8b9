import { ownPath } from '#platform/shared/own-path.ts'

/** Where to go after signing in: the pending path, else `redirect`, else /api from the landing and sign-in pages, else here. */
export function targetAfter(here: string, pathname: string, pending: string | undefined, redirect: string | undefined): string {
  return ownPath(pending) ?? ownPath(redirect) ?? (/^\/(en\/?)?$/.test(pathname) || /^\/(embed-)?login$/.test(pathname) ? '/api' : here)
}
