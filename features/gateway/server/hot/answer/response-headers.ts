import type { Attempt } from '../attempt.ts'
import { requestsEvents } from '../http/query.ts'
import { writeIdHeaders } from '../reply/reply.ts'

/** Upstream headers that a client may see. All others could identify our account there (wire.md 6). */
const PASSED_HEADERS = new Set([
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-processing-ms',
  'openai-version',
  'openai-model',
  'x-reasoning-included',
  'x-models-etag',
  'x-gemini-service-tier',
  'server-timing',
])
/** Headers of a translated answer that are forwarded: the caller expects another vendor's. */
const PASSED_WHEN_TRANSLATED = new Set(['retry-after', 'retry-after-ms', 'x-should-retry', 'server-timing'])
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Copies the permitted headers. */
export function copyResponseHeaders(attempt: Attempt, into: string[]): void {
  const { headers, call } = attempt
  for (const name in headers) {
    if (!PASSED_HEADERS.has(name) || (call.translation !== undefined && !PASSED_WHEN_TRANSLATED.has(name))) continue
    const value = headers[name]
    if (typeof value === 'string') into.push(name, value)
    else if (Array.isArray(value)) for (const one of value) into.push(name, one)
  }
}

/** Headers of a streamed answer: no proxy between us and the client may buffer events (wire.md 5). */
export function buildStreamHeaders(attempt: Attempt): string[] {
  const headers: string[] = []
  copyResponseHeaders(attempt, headers)
  const { call } = attempt
  if (call.translation !== undefined) {
    const isArray = call.surface === 'gemini' && !requestsEvents(call.located.query)
    headers.push('content-type', isArray ? JSON_TYPE : 'text/event-stream; charset=utf-8')
  }
  headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no')
  writeIdHeaders(attempt.call, headers)
  return headers
}
