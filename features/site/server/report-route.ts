import type { Deps, RawReply, RawRoute } from '#platform/server/feature.ts'

const MINUTE_MS = 60_000
const DONE: RawReply = { status: 204, type: 'text/plain', body: '' }

/** Different lines of one kind that a day keeps. */
export const LINES_A_DAY = 500

interface Reports {
  readonly path: string
  /** Longer ones are not read. */
  readonly mostBytes: number
  /** Sendings a minute that a process looks at: a sample, so that a page loaded a million times, or somebody who makes them up, costs nothing. */
  readonly aMinute: number
  readonly keep: (deps: Deps, text: string) => Promise<void>
}

/** A route for what browsers tell by themselves. Always 204: nobody learns what is kept. */
export function reportRoute({ path, mostBytes, aMinute, keep }: Reports): RawRoute {
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
