import { ownPath } from '#platform/shared/own-path.ts'

/** With a tab, because the console otherwise opens the last visited one. */
export const BALANCE = '/api?tab=view'

/** Path of this site that the payer came from. For a payment restarted on a result page it is the target of that page. */
export function wayOn(redirect: string | null): string | undefined {
  let path = ownPath(redirect ?? undefined)
  while (path !== undefined) {
    const url = new URL(path, location.origin)
    if (!/^(?:\/en)?\/pay-result\/?$/.test(url.pathname)) return path === '/api' ? BALANCE : path
    path = ownPath(url.searchParams.get('redirect') ?? undefined)
  }
  return undefined
}
