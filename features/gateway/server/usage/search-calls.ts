import type { Sql } from '#platform/server/database/db.ts'
import { selectHoursToSearch, listCalls, listCallsOfHours } from './data-calls.ts'
import type { CallDbRow, CallFilter, Cursor, Direction, HourToSearch } from './data-calls.ts'

/** Limit on calls read per page; a search with too few matches among them stops and can be continued from there. */
const MAX_CALLS_READ = 50_000
/** Calls read in the first step; each further step reads twice as many. */
const FIRST_STEP_CALLS = 4000
const MAX_ROUNDS = 6
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST_DAY = new Date('2020-01-01T00:00:00Z')

export interface CallSearchResult {
  /** In the given direction, at most `limit`. */
  readonly rows: readonly CallDbRow[]
  /** Cursor at which the search stopped, if it did so before its end and before the page was full. */
  readonly stopped: Cursor | undefined
}

/**
 * Returns a page of calls. Filters with their own index (account, time) are read directly. For others the sums by hour limit the hours that
 * can match, so that a rare model among a million calls costs only the hours that contain it, and a page never reads more than its budget
 * (docs/decisions/usage-at-size.md).
 */
export async function searchCalls(
  sql: Sql,
  filter: CallFilter,
  { cursor, direction, limit }: { readonly cursor: Cursor | undefined; readonly direction: Direction; readonly limit: number },
): Promise<CallSearchResult> {
  if (!needsSearch(filter)) return { rows: await listCalls(sql, filter, { cursor, direction, limit }), stopped: undefined }
  let [from, before] = getSearchSpan(filter, cursor, direction)
  const rows: CallDbRow[] = []
  let spent = 0
  let step = FIRST_STEP_CALLS
  for (let round = 1; ; round++) {
    const { hours, more } = await selectHoursToSearch(sql, filter, { from, before, direction })
    for (let at = 0; at < hours.length;) {
      const some = takeHoursUpTo(hours, at, step)
      rows.push(
        ...(await listCallsOfHours(
          sql,
          some.map((hour) => hour.hour),
          { filter, cursor, direction, limit: limit - rows.length },
        )),
      )
      if (rows.length >= limit) return { rows, stopped: undefined }
      at += some.length
      spent += some.reduce((calls, hour) => calls + Number(hour.calls), 0)
      step *= 2
      if (spent >= MAX_CALLS_READ && (at < hours.length || more)) return { rows, stopped: getHourEdge(some.at(-1)!, direction) }
    }
    const last = hours.at(-1)
    if (!more || !last) return { rows, stopped: undefined }
    if (round === MAX_ROUNDS) return { rows, stopped: getHourEdge(last, direction) }
    if (direction === 'older') before = getHourEdge(last, direction).at
    else from = getHourEdge(last, direction).at
  }
}

/** Yields all calls that match the filter, page by page. */
export async function* streamCallPages(
  sql: Sql,
  filter: CallFilter,
  { cursor, direction, size }: { readonly cursor: Cursor | undefined; readonly direction: Direction; readonly size: number },
): AsyncGenerator<readonly CallDbRow[]> {
  for (let at = cursor; ;) {
    const { rows, stopped } = await searchCalls(sql, filter, { cursor: at, direction, limit: size })
    if (rows.length) yield rows
    const last = rows.at(-1)
    if (rows.length === size) at = { at: last!.startedAt, callId: last!.callId }
    else if (stopped) at = stopped
    else return
  }
}

const needsSearch = ({ keyId, model, outcome, status, least, most }: CallFilter) =>
  keyId !== undefined || model !== undefined || outcome !== undefined || status !== undefined || least !== undefined || most !== undefined

function getSearchSpan(filter: CallFilter, cursor: Cursor | undefined, direction: Direction): [Date, Date] {
  const from = filter.from ?? FIRST_DAY
  const before = filter.before ?? new Date(Date.now() + DAY_MS)
  if (!cursor) return [from, before]
  if (direction === 'older') return [from, new Date(Math.min(before.getTime(), cursor.at.getTime() + (cursor.callId ? 1 : 0)))]
  return [new Date(Math.max(from.getTime(), cursor.at.getTime())), before]
}

/** Takes hours from `at` on until they hold `calls` calls in total; at least one hour. */
function takeHoursUpTo(hours: readonly HourToSearch[], at: number, calls: number): HourToSearch[] {
  const some: HourToSearch[] = []
  let reached = 0
  for (let i = at; i < hours.length && (some.length === 0 || reached < calls); i++) {
    some.push(hours[i]!)
    reached += Number(hours[i]!.calls)
  }
  return some
}

/** Cursor after all calls of an hour, in the given direction; no call has an empty id. */
const getHourEdge = ({ hour }: HourToSearch, direction: Direction): Cursor => ({
  at: direction === 'older' ? hour : new Date(hour.getTime() + HOUR_MS),
  callId: '',
})
