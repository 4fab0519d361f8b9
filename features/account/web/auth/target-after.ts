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
