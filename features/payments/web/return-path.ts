import { parseOwnPath } from '#platform/shared/own-path.ts'

/** With a tab, because the console otherwise opens the last visited one. */
export const BALANCE_PATH = '/api?tab=view'

/** Path of this site that the payer came from. For a payment restarted on a result page, the target of that page. */
export function resolveReturnPath(redirect: string | null): string | undefined {
  let path = parseOwnPath(redirect ?? undefined)
  while (path !== undefined) {
    const url = new URL(path, location.origin)
    if (!/^(?:\/en)?\/pay-result\/?$/.test(url.pathname)) return path === '/api' ? BALANCE_PATH : path
    path = parseOwnPath(url.searchParams.get('redirect') ?? undefined)
  }
  return undefined
}
