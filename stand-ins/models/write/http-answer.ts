import type { ServerResponse } from 'node:http'
import type { Surface } from '../read/ask.ts'
import type { Json } from '../read/json.ts'

/** Headers that the vendor sends with every answer; some of them must not leave the gateway. */
export function vendorHeaders(surface: Surface, requestId: string): Record<string, string> {
  if (surface === 'cohere') return { 'x-request-id': requestId, 'x-debug-trace-id': requestId, 'x-endpoint-monthly-call-limit': '1000' }
  if (surface === 'openai') {
    return {
      'x-request-id': requestId,
      'openai-version': '2020-10-01',
      'openai-organization': 'sandbox-org',
      'openai-processing-ms': '12',
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-remaining-requests': '9999',
      'x-ratelimit-reset-requests': '6ms',
      'x-ratelimit-limit-tokens': '2000000',
      'x-ratelimit-remaining-tokens': '1999000',
      'x-ratelimit-reset-tokens': '30ms',
    }
  }
  if (surface === 'anthropic') {
    return {
      'request-id': requestId,
      'anthropic-organization-id': 'sandbox-org',
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '3999',
      'anthropic-ratelimit-tokens-limit': '400000',
      'anthropic-ratelimit-tokens-remaining': '399000',
    }
  }
  return { 'x-goog-request-id': requestId, 'server': 'scaffolding on sandbox', 'vary': 'Origin, X-Origin, Referer' }
}

export function writeJson(res: ServerResponse, status: number, headers: Record<string, string>, body: Json): void {
  const text = JSON.stringify(body)
  res.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': String(Buffer.byteLength(text)) })
  res.end(text)
}
