import type { Surface } from '../deps.ts'

/** Google's clients may send the key so. */
export function readQueryKey(query: string): string {
  return new URLSearchParams(query).get('key')?.trim() ?? ''
}

/** Events, not a JSON array, where a Gemini stream is asked for; the vendor reads the last of several. */
export function requestsEvents(query: string): boolean {
  return query === '?alt=sse' || (query.includes('alt=') && new URLSearchParams(query).getAll('alt').at(-1) === 'sse')
}

/**
 * The query for the upstream: the two parameters that the SDKs send. Google takes others that change the answer's form or leave parts
 * of it out (`fields`, `$fields`, `alt=proto`, `callback`), in many spellings; none of them is forwarded.
 */
export function buildForwardedQuery(surface: Surface, query: string): string {
  if (query.length < 2) return ''
  if (surface === 'gemini') return requestsEvents(query) ? '?alt=sse' : ''
  return surface === 'anthropic' && new URLSearchParams(query).get('beta') === 'true' ? '?beta=true' : ''
}
