import { sendPageReport } from '#platform/web/calls/page-report.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { site } from '#platform/web/site.ts'

/** One visit in four, and of it the first few faults: enough to see what breaks. */
const SAMPLE_RATE = 0.25
const MAX_REPORTS = 5

const VERSION = (import.meta.env['VITE_VERSION'] as string | undefined) ?? 'dev'
const reportedKeys = new Set<string>()
let isSampled: boolean | undefined

/** True while the fault should be told: in production and qa, in a sampled visit, each fault once. */
function shouldReport(key: string): boolean {
  if (site.stage === 'development') return false
  isSampled ??= Math.random() < SAMPLE_RATE
  if (!isSampled || reportedKeys.has(key) || reportedKeys.size >= MAX_REPORTS) return false
  reportedKeys.add(key)
  return true
}

/** Refusals of the server and calls that were given up are answers, not faults. */
function isExpectedError(error: unknown): boolean {
  return isApiError(error) || (error as { name?: unknown } | null)?.name === 'AbortError'
}

/** Tells the operators what failed; the server takes out whatever may be personal (features/site, page-report.ts). */
export function reportPageError(kind: 'error' | 'promise' | 'page', error: unknown): void {
  if (isExpectedError(error)) return
  const { name = 'Error', message = String(error), stack = '' } = error instanceof Error ? error : {}
  const place = /\/assets\/[\w.-]+\.js:\d+:\d+/.exec(stack)?.[0] ?? ''
  if (shouldReport(`${message} ${place}`)) sendPageReport({ kind, message: `${name}: ${message}`, place, page: location.pathname, version: VERSION })
}
