import { sendPageReport } from '#platform/web/calls/page-report.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { site } from '#platform/web/site.ts'

/** One visit in four, and of it the first few faults: enough to see what breaks. */
const SAMPLE = 0.25
const MOST = 5

const VERSION = (import.meta.env['VITE_VERSION'] as string | undefined) ?? 'dev'
const seen = new Set<string>()
let chosen: boolean | undefined

/** True while the fault should be told: in production and qa, in a sampled visit, each fault once. */
function isWanted(key: string): boolean {
  if (site.stage === 'development') return false
  chosen ??= Math.random() < SAMPLE
  if (!chosen || seen.has(key) || seen.size >= MOST) return false
  seen.add(key)
  return true
}

/** Refusals of the server and calls that were given up are answers, not faults. */
function isAnswer(error: unknown): boolean {
  return isApiError(error) || (error as { name?: unknown } | null)?.name === 'AbortError'
}

/** Tells the operators what failed; the server takes out whatever may be personal (features/site, page-report.ts). */
export function reportPageError(kind: 'error' | 'promise' | 'page', error: unknown): void {
  if (isAnswer(error)) return
  const { name = 'Error', message = String(error), stack = '' } = error instanceof Error ? error : {}
  const place = /\/assets\/[\w.-]+\.js:\d+:\d+/.exec(stack)?.[0] ?? ''
  if (isWanted(`${message} ${place}`)) sendPageReport({ kind, message: `${name}: ${message}`, place, page: location.pathname, version: VERSION })
}
