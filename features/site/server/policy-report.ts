/** A violation of the content security policy on one of our pages. */
export interface PolicyReport {
  readonly directive: string
  readonly blocked: string
  readonly page: string
}

const KEYWORD = /^[a-z][a-z-]{0,30}$/
const REPORTED_PROTOCOLS = new Set(['http:', 'https:', 'ws:', 'wss:'])

/** Host without path, or the keyword (`inline`, `eval`, `data`). Undefined for violations by the reader's browser extensions. */
function parseBlockedSource(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 2000) return undefined
  if (text === '') return 'inline'
  if (KEYWORD.test(text)) return text
  const url = URL.parse(text)
  if (!url) return undefined
  if (REPORTED_PROTOCOLS.has(url.protocol)) return url.origin.slice(0, 200)
  return url.protocol === 'data:' || url.protocol === 'blob:' ? url.protocol.slice(0, -1) : undefined
}

/** Masks path segments that may identify a person or an order: any with a digit or of more than 40 characters. */
export function toReportedPage(text: unknown): string | undefined {
  const url = typeof text === 'string' && text.length <= 4000 ? URL.parse(text) : null
  if (!url || !REPORTED_PROTOCOLS.has(url.protocol)) return undefined
  const parts = url.pathname.split('/').map((part) => (/[\d%@]/.test(part) || part.length > 40 ? '*' : part))
  return parts.slice(0, 6).join('/').slice(0, 200)
}

function readPolicyReport(body: Readonly<Record<string, unknown>>): PolicyReport | undefined {
  const directive = body['effectiveDirective'] ?? body['effective-directive'] ?? body['violated-directive']
  const blocked = parseBlockedSource(body['blockedURL'] ?? body['blocked-uri'])
  const page = toReportedPage(body['documentURL'] ?? body['document-uri'])
  if (typeof directive !== 'string' || blocked === undefined || page === undefined) return undefined
  const name = directive.split(' ', 1)[0]!
  return KEYWORD.test(name) ? { directive: name, blocked, page } : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Maximum number of reports read per request. */
const MAX_REPORTS = 10

/** Parses both formats: `{"csp-report": …}` (report-uri) and a list of `{type, body}` (report-to). Skips invalid reports. */
export function readPolicyReports(text: string): PolicyReport[] {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return []
  }
  const bodies = Array.isArray(sent)
    ? sent.slice(0, MAX_REPORTS).flatMap((one: unknown) => (isObject(one) && one['type'] === 'csp-violation' ? [one['body']] : []))
    : [isObject(sent) ? sent['csp-report'] : undefined]
  return bodies.flatMap((body) => (isObject(body) ? (readPolicyReport(body) ?? []) : []))
}
