import { ownPath } from '#platform/shared/own-path.ts'

/** Where to go after signing in: the pending path, else `redirect`, else /api from the landing, invitation and sign-in pages, else here. */
export function targetAfter(here: string, pathname: string, pending: string | undefined, redirect: string | undefined): string {
  return ownPath(pending) ?? ownPath(redirect) ?? (STARTS.test(pathname) ? '/api' : here)
}

/** Pages that nobody stays on once they are in. */
const STARTS = /^\/(?:(?:en\/?)?|(?:embed-)?login|i\/[^/]+)$/
