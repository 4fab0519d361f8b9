import type { RegisteredRouter } from '@tanstack/react-router'
import { LANGUAGES, readPathLang, type Lang } from '#platform/shared/languages.ts'
import { getCurrentLang, useLangStore } from '#platform/web/i18n.ts'

/** Pages with an address in each language: below the language's `path`. All other pages have one address. */
export function hasLangPath(pathname: string): boolean {
  return /^\/(?:$|(?:pricing|service|compatibility|terms|privacy|protocol|help)$|(?:help|service)\/)/.test(pathname)
}

/** Removes the language from an address, such as /en in /en/pricing. */
export function plainPath(pathname: string): string {
  const lang = readPathLang(pathname)
  const plain = lang ? pathname.slice(LANGUAGES[lang].path.length) || '/' : pathname
  // Paths that a browser reads as another host: /en//host, /en/\host
  return /^\/[/\\]/.test(plain) ? pathname : plain
}

export function toLangPath(pathname: string, lang: Lang): string {
  const { path } = LANGUAGES[lang]
  if (!path || !hasLangPath(pathname)) return pathname
  return pathname === '/' ? path : path + pathname
}

/**
 * Routes and links use plain paths only; the address bar and every href include the language. A prefix before a page without an address in
 * each language (/en/login) is accepted and removed from the address bar.
 */
export function createLangRewrite(fixed?: Lang) {
  return {
    input: ({ url }: { url: URL }) => {
      url.pathname = plainPath(url.pathname)
      return url
    },
    output: ({ url }: { url: URL }) => {
      url.pathname = toLangPath(url.pathname, fixed ?? getCurrentLang())
      return url
    },
  }
}

/** Switching the language moves to the page's other address in place: without a reload, with the same scroll position and filters. */
export function followLang(router: RegisteredRouter): void {
  const follow = () => {
    const { pathname, search, hash } = location
    const to = toLangPath(plainPath(pathname), getCurrentLang())
    // Bypasses the router, for which both addresses are the same location.
    if (to !== pathname) router.history.replace(to + search + hash, history.state)
  }
  useLangStore.subscribe(() => {
    // A new rewrite clears the router's cached addresses.
    router.update({ ...router.options, rewrite: createLangRewrite() })
    follow()
  })
  // Back to a history entry from before the switch.
  router.subscribe('onResolved', follow)
}
