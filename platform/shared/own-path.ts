const HERE = 'https://here.invalid'

/**
 * A path of this site, or nothing: a redirect parameter must not lead away. Judged as the browser would read it, which drops
 * tabs and line breaks, takes \ for / and works out dots before it looks for a host; and handed on as it was judged.
 */
export function parseOwnPath(path: string | undefined): string | undefined {
  if (!path?.startsWith('/') || hasUnsafeCharacter(path)) return undefined
  const url = tryParseUrl(path)
  // two leading slashes, also after a language prefix, name a host when the path is used as an address
  return url?.origin === HERE && !/^(?:\/en)?\/\//.test(url.pathname) ? url.pathname + url.search + url.hash : undefined
}

/** Control characters, which browsers drop in the middle of an address, and backslashes. */
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
