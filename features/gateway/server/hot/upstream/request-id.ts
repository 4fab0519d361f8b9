import type { UpstreamHeaders } from '../deps.ts'

const REQUEST_IDS = ['x-request-id', 'request-id', 'x-goog-request-id']

/** The vendor's own id of a request, as shown in its console and its bill; '' if it gave none. */
export function readRequestId(headers: UpstreamHeaders): string {
  for (const name of REQUEST_IDS) {
    const value = headers[name]
    if (typeof value === 'string') return value
  }
  return ''
}
