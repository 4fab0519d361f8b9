import { fail } from '#platform/shared/errors.ts'

/** The rows of a page of which one more was asked for, and where the next one begins. */
export function buildKeysetPage<D, R>(rows: readonly D[], limit: number, view: (row: D) => R, place: (row: D) => string): { rows: R[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown.map(view), next: rows.length > limit && last !== undefined ? place(last) : null }
}

/** A place that is a row's number. */
export function parseNumberCursor(after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined
  return /^\d{1,18}$/.test(after) ? BigInt(after) : fail('BAD_INPUT', { fields: ['after'] })
}

/** A place that is an instant, in microseconds as the database has it, and what tells rows of one instant apart. */
export function parseInstantCursor(after: string | undefined): { at: bigint; id: string } | undefined {
  if (after === undefined) return undefined
  const [, at, id] = /^(\d{1,17}) (.{1,200})$/.exec(after) ?? []
  return at === undefined || id === undefined ? fail('BAD_INPUT', { fields: ['after'] }) : { at: BigInt(at), id }
}

const SHORT_RANGE_MS = 92 * 86_400_000

/**
 * The order of a list, newest first. Rows of a short time are found by their time and then sorted: in the order of their ids the planner would
 * read on from the newest row of all, hoping to meet fifty of them soon.
 */
export function orderNewestFirst(id: string, from: string | undefined, to: string | undefined): string {
  const isShort = from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) <= SHORT_RANGE_MS
  return isShort ? `${id} + 0 desc` : `${id} desc`
}
