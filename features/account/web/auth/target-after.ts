import { ownPath } from '#platform/shared/own-path.ts'

/** Target after sign-in: the pending path, else `redirect`, else /api from the landing, invitation and sign-in pages, else this page. */
export function targetAfter(here: string, pathname: string, pending: string | undefined, redirect: string | undefined): string {
  return ownPath(pending) ?? ownPath(redirect) ?? (STARTS.test(pathname) ? '/api' : here)
}

/** Pages that a user leaves after signing in. */
const STARTS = /^\/(?:(?:en\/?)?|(?:embed-)?login|i\/[^/]+)$/
