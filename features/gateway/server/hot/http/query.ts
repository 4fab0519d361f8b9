import type { Surface } from '../deps.ts'

/** Google's clients may send the key in this parameter. */
export function readQueryKey(query: string): string {
  return new URLSearchParams(query).get('key')?.trim() ?? ''
}

/** True if a Gemini stream is requested as events, not as a JSON array; the vendor reads the last of several. */
export function requestsEvents(query: string): boolean {
  return query === '?alt=sse' || (query.includes('alt=') && new URLSearchParams(query).getAll('alt').at(-1) === 'sse')
}

/**
 * Query for the upstream: the two parameters that the SDKs send. Google accepts others that change the answer's format or omit parts of it
 * (`fields`, `$fields`, `alt=proto`, `callback`), in many spellings; none of them is forwarded.
 */
export function buildForwardedQuery(surface: Surface, query: string): string {
  if (query.length < 2) return ''
  if (surface === 'gemini') return requestsEvents(query) ? '?alt=sse' : ''
  return surface === 'anthropic' && new URLSearchParams(query).get('beta') === 'true' ? '?beta=true' : ''
}
