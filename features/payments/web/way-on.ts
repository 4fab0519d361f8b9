import { ownPath } from '#platform/shared/own-path.ts'

/** Without the tab, the console would open the one of the last visit. */
export const BALANCE = '/api?tab=view'

/**
 * Where the payer was before paying, as a path of this site. Someone who paid again from a result page left from that page:
 * what counts is where that one would have led.
 */
export function wayOn(redirect: string | null): string | undefined {
  let path = ownPath(redirect ?? undefined)
  while (path !== undefined) {
    const url = new URL(path, location.origin)
    if (!/^(?:\/en)?\/pay-result\/?$/.test(url.pathname)) return path === '/api' ? BALANCE : path
    path = ownPath(url.searchParams.get('redirect') ?? undefined)
  }
  return undefined
}
