import { fail } from '#platform/shared/errors.ts'

/** Builds a page from rows read with one extra, and the cursor of the next page. */
export function buildKeysetPage<D, R>(
  rows: readonly D[],
  limit: number,
  { view, place }: { readonly view: (row: D) => R; readonly place: (row: D) => string },
): { rows: R[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown.map(view), next: rows.length > limit && last !== undefined ? place(last) : null }
}

/** Parses a cursor that is a row's number. */
export function parseNumberCursor(after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined
  return /^\d{1,18}$/.test(after) ? BigInt(after) : fail('BAD_INPUT', { fields: ['after'] })
}

/** Parses a cursor of a time in microseconds, the database's precision, and a tie-breaker. */
export function parseInstantCursor(after: string | undefined): { at: bigint; id: string } | undefined {
  if (after === undefined) return undefined
  const [, at, id] = /^(\d{1,17}) (.{1,200})$/.exec(after) ?? []
  return at === undefined || id === undefined ? fail('BAD_INPUT', { fields: ['after'] }) : { at: BigInt(at), id }
}

const SHORT_RANGE_MS = 92 * 86_400_000

/**
 * ORDER BY of a list, newest first. Short time ranges are selected by time and then sorted: ordered by id, the planner would scan from the
 * newest row of all, expecting to find fifty matches soon.
 */
export function orderNewestFirst(id: string, from: string | undefined, to: string | undefined): string {
  const isShort = from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) <= SHORT_RANGE_MS
  return isShort ? `${id} + 0 desc` : `${id} desc`
}
