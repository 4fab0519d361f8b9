import type { RegisteredRouter } from '@tanstack/react-router'
import { getCurrentLang, readPathLang, useLangStore } from '#platform/web/i18n.ts'
import type { Lang } from '#platform/shared/texts.ts'

/** Pages with an address in each language: English below /en, Chinese as they are. All others have one address. */
export function hasLangPath(pathname: string): boolean {
  return /^\/(?:$|(?:pricing|service|compatibility|terms|privacy|protocol|help)$|(?:help|service)\/)/.test(pathname)
}

/** The address without its language: /en/pricing is /pricing. */
export function plainPath(pathname: string): string {
  const plain = readPathLang(pathname) ? pathname.slice(3) || '/' : pathname
  // paths that a browser reads as another host: /en//host, /en/\host
  return /^\/[/\\]/.test(plain) ? pathname : plain
}

export function toLangPath(pathname: string, lang: Lang): string {
  if (lang !== 'en' || !hasLangPath(pathname)) return pathname
  return pathname === '/' ? '/en' : `/en${pathname}`
}

/**
 * Routes and links know plain paths only; the address bar and every href carry the language. /en before a page without an
 * English address of its own (/en/login) is understood, and leaves the address bar.
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

/** A switch of language moves to the page's other address, in place: no reload, same scroll, same filters. */
export function followLang(router: RegisteredRouter): void {
  const follow = () => {
    const { pathname, search, hash } = location
    const to = toLangPath(plainPath(pathname), getCurrentLang())
    // past the router, for which both addresses are the same location
    if (to !== pathname) router.history.replace(to + search + hash, history.state)
  }
  useLangStore.subscribe(() => {
    // a new rewrite makes the router forget the addresses that it has worked out
    router.update({ ...router.options, rewrite: createLangRewrite() })
    follow()
  })
  // going back to an entry of before the switch
  router.subscribe('onResolved', follow)
}
