import { parseOwnPath } from '#platform/shared/own-path.ts'
import { LANGUAGES, readPathLang, DEFAULT_LANG } from '#platform/shared/languages.ts'

/** With a tab, because the console otherwise opens the last visited one. */
export const BALANCE_PATH = '/api?tab=view'

/** Path of this site that the payer came from. For a payment restarted on a result page, the target of that page. */
export function resolveReturnPath(redirect: string | null): string | undefined {
  let path = parseOwnPath(redirect ?? undefined)
  while (path !== undefined) {
    const url = new URL(path, location.origin)
    const { path: prefix } = LANGUAGES[readPathLang(url.pathname) ?? DEFAULT_LANG]
    if (!/^\/pay-result\/?$/.test(url.pathname.slice(prefix.length))) return path === '/api' ? BALANCE_PATH : path
    path = parseOwnPath(url.searchParams.get('redirect') ?? undefined)
  }
  return undefined
}
