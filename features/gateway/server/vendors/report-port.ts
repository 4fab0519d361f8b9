import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { parseUsd, parseShiftedUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Usage and cost reports of vendors: types and shared helpers. */

/** A day's use of a model according to the vendor. Input includes cache reads and writes, like our rows. */
export interface ReportedUse {
  /** The vendor's name of the model. */
  readonly model: string
  /** undefined if the vendor does not report it */
  readonly calls: bigint | undefined
  readonly input: bigint | undefined
  readonly cached: bigint | undefined
  readonly output: bigint | undefined
  /** In US dollars, before tax. */
  readonly cost: Nano | undefined
}

export interface ReportRequest {
  readonly send: typeof fetch
  /** Base URL of the model API; reports may live elsewhere. */
  readonly baseUrl: string
  /** Values of `needs` and `takes`, and the model API's own key. */
  readonly config: (name: string) => string | undefined
  readonly key: string
  /** A UTC day. */
  readonly day: string
  readonly now: Date
}

/** The vendor's report of use and cost. */
export interface UsageReport {
  /** Environment variables that the report requires: administration keys differ from those of the model API. */
  readonly needs: readonly string[]
  /** Environment variables that change the report, if set. */
  readonly takes: readonly string[]
  /** Reads the report. Throws if any part is unreadable, because a partial report is useless. */
  readonly read: (question: ReportRequest) => Promise<readonly ReportedUse[]>
}

const DEADLINE_MS = 60_000
const MAX_BYTES = 16_000_000
/** A day has few pages; a cursor that never ends is an error. */
const MAX_REPORT_PAGES = 200

const page = z.object({ data: z.array(z.object({ results: z.array(z.unknown()) })), has_more: z.boolean(), next_page: z.string().nullish() })

/**
 * Reads all results of a report in buckets and pages, the format that OpenAI's and Anthropic's reports share: `data[].results[]`,
 * `has_more`, `next_page`.
 */
export async function readReportResults(
  send: typeof fetch,
  url: string,
  { query, headers }: { readonly query: readonly (readonly [string, string])[]; readonly headers: Readonly<Record<string, string>> },
): Promise<unknown[]> {
  const results: unknown[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_REPORT_PAGES; pages++) {
    const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
    if (cursor) search.append('page', cursor)
    const reply = await sendOutgoingRequest(send, { method: 'GET', url: `${url}?${search}`, headers, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
    if (reply.status !== 200) throw new Error(`${new URL(url).host} answered the report with ${reply.status}`)
    const { data, has_more: more, next_page: next } = page.parse(JSON.parse(reply.body.toString()))
    results.push(...data.flatMap((bucket) => bucket.results))
    if (!more) return results
    if (!next) throw new Error('a report has more pages but does not name the next one')
    cursor = next
  }
  throw new Error('a report has too many pages')
}

/** Parses a vendor's dollars, as a JSON number or as text; digits below a nano-dollar are cut off. Credits are negative. */
export function parseReportUsd(value: number | string): Nano {
  return parseUsd(toPlainDecimal(value))
}

/** Parses the same in cents: "123.45" is $1.2345. */
export function parseReportCents(value: number | string): Nano {
  return parseShiftedUsd(toPlainDecimal(value), 2)
}

function toPlainDecimal(value: number | string): string {
  const text = typeof value === 'number' ? value.toFixed(12) : value
  const match = /^(-?\d{1,12})(?:\.(\d{1,30}))?$/.exec(text)
  if (!match) throw new Error('not an amount')
  return `${match[1]}.${(match[2] ?? '').padEnd(1, '0').slice(0, 9)}`
}
