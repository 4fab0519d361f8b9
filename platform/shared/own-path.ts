import { LANGUAGES, readPathLang } from './languages.ts'

const HERE = 'https://here.invalid'

/**
 * Returns a path of this site, or nothing: a redirect parameter must not lead to another site. Parses the path as a browser would, which
 * drops tabs and line breaks, reads \ as / and resolves dots before it looks for a host, and returns the parsed form.
 */
export function parseOwnPath(path: string | undefined): string | undefined {
  if (!path?.startsWith('/') || hasUnsafeCharacter(path)) return undefined
  const url = tryParseUrl(path)
  // Two leading slashes, also after a language prefix, would be parsed as a host.
  return url?.origin === HERE && !hasForeignStart(url.pathname) ? url.pathname + url.search + url.hash : undefined
}

function hasForeignStart(pathname: string): boolean {
  const lang = readPathLang(pathname)
  return pathname.startsWith('//', lang ? LANGUAGES[lang].path.length : 0)
}

/** Control characters, which browsers drop from the middle of an address, and backslashes. */
function hasUnsafeCharacter(path: string): boolean {
  return [...path].some((sign) => sign <= '\u001f' || sign === '\u007f' || sign === '\\')
}

function tryParseUrl(path: string): URL | undefined {
  try {
    return new URL(path, HERE)
  } catch {
    return undefined
  }
}
