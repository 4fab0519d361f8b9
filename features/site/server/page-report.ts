import { toReportedPage } from './policy-report.ts'

/** A page error without personal data. */
export interface PageError {
  readonly kind: 'error' | 'promise' | 'page'
  readonly message: string
  /** File, line and column in our own code; empty if the browser did not report them. */
  readonly place: string
  readonly page: string
  readonly version: string
}
/** A step counted by pages; `detail` is the channel's number. */
export interface PageEvent {
  readonly event: 'channel_chosen' | 'payment_submitted'
  readonly detail: string
}

const KINDS: ReadonlySet<unknown> = new Set(['error', 'promise', 'page'])
const EVENTS: ReadonlySet<unknown> = new Set(['channel_chosen', 'payment_submitted'])
const PLACE = /\/assets\/([\w.-]{1,80}\.js):(\d{1,7}):(\d{1,7})/

/**
 * Removes personal data from an error message, so that equal faults have equal texts. Replaces
 * URLs, quotations, numbers, long words and all non-ASCII text: users may have typed any of these.
 */
export function redactPersonalData(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/\S+:\/\/\S+/g, '<url>')
    .replace(/\S*@\S*/g, '<mail>')
    .replace(/(["'`“”‘’])(?:(?!\1).)*\1/g, '<text>')
    .replace(/[^\x20-\x7e]+/g, '<text>')
    .replace(/[\w-]{25,}/g, '<word>')
    .replace(/\d+/g, '0')
    .trim()
    .slice(0, 200)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a report; undefined if it is invalid or the error is not in our own code. */
export function readPageReport(text: string, origin: string): PageError | PageEvent | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(sent)) return undefined
  const { kind, event } = sent
  if (EVENTS.has(event)) {
    const detail = String(sent['detail'])
    return /^\d{1,3}$/.test(detail) ? { event: event as PageEvent['event'], detail } : undefined
  }
  const { message, place, page, version } = sent
  if (!KINDS.has(kind) || typeof message !== 'string' || typeof page !== 'string' || !/^[\w.-]{1,20}$/.test(String(version))) return undefined
  const found = PLACE.exec(String(place))
  const path = toReportedPage(`${origin}${page.startsWith('/') ? page : '/'}`)
  const kept = redactPersonalData(message)
  // errors of browser extensions have no line in our code; a page that failed to render is always ours
  if (!kept || path === undefined || (!found && kind !== 'page')) return undefined
  return { kind: kind as PageError['kind'], message: kept, place: found ? `${found[1]}:${found[2]}:${found[3]}` : '', page: path, version: String(version) }
}
