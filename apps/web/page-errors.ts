import { sendPageReport } from '#platform/web/calls/page-report.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { site } from '#platform/web/site.ts'

/** Samples one visit in four, and its first few errors only: enough to see problems. */
const SAMPLE_RATE = 0.25
const MAX_REPORTS = 5

const VERSION = (import.meta.env['VITE_VERSION'] as string | undefined) ?? 'dev'
const reportedKeys = new Set<string>()
let isSampled: boolean | undefined

/** True if the error should be reported: in production and qa, in a sampled visit, each error once. */
function shouldReport(key: string): boolean {
  if (site.stage === 'development') return false
  isSampled ??= Math.random() < SAMPLE_RATE
  if (!isSampled || reportedKeys.has(key) || reportedKeys.size >= MAX_REPORTS) return false
  reportedKeys.add(key)
  return true
}

/** Refusals by the server and cancelled calls are expected, not errors. */
function isExpectedError(error: unknown): boolean {
  return isApiError(error) || (error as { name?: unknown } | null)?.name === 'AbortError'
}

/** Reports errors to the operators; the server removes anything that may be personal (features/site, page-report.ts). */
export function reportPageError(kind: 'error' | 'promise' | 'page', error: unknown): void {
  if (isExpectedError(error)) return
  const { name = 'Error', message = String(error), stack = '' } = error instanceof Error ? error : {}
  const place = /\/assets\/[\w.-]+\.js:\d+:\d+/.exec(stack)?.[0] ?? ''
  if (shouldReport(`${message} ${place}`)) sendPageReport({ kind, message: `${name}: ${message}`, place, page: location.pathname, version: VERSION })
}
