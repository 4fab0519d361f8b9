import type { Deps, RawReply, RawRoute } from '#platform/server/feature.ts'

const MINUTE_MS = 60_000
const DONE: RawReply = { status: 204, type: 'text/plain', body: '' }

/** Maximum number of distinct rows of one kind per day. */
export const LINES_A_DAY = 500

interface ReportRouteOptions {
  readonly path: string
  /** Longer reports are dropped unread. */
  readonly mostBytes: number
  /** Reports that a process handles per minute, as a sample, so that popular pages and forged reports cost no more. */
  readonly aMinute: number
  readonly keep: (deps: Deps, text: string) => Promise<void>
}

/** Route for automatic browser reports. Always responds 204, so that clients cannot learn which reports are kept. */
export function createReportRoute({ path, mostBytes, aMinute, keep }: ReportRouteOptions): RawRoute {
  let minute = 0
  let taken = 0
  return {
    method: 'POST',
    path,
    role: 'api',
    handle: async (deps, { body }) => {
      const current = Math.floor(deps.clock.now().getTime() / MINUTE_MS)
      if (current !== minute) [minute, taken] = [current, 0]
      if (body.length <= mostBytes && ++taken <= aMinute) await keep(deps, body.toString('utf8'))
      return DONE
    },
  }
}
