import { countEvent } from '#platform/server/metrics.ts'
import type { RawReply, RawRoute } from '#platform/server/feature.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { countReport } from './data.ts'
import { readPolicyReports } from './policy-report.ts'

const MOST_BYTES = 16_384
/** Sendings a minute that a process looks at: a sample, so that a page loaded a million times, or somebody who makes them up, costs nothing. */
const A_MINUTE = 60
const MINUTE_MS = 60_000
/** Different lines a day. */
const LINES_A_DAY = 500

const DONE: RawReply = { status: 204, type: 'text/plain', body: '' }

/** Takes what browsers report against the pages' content security policy (`apps/server/pages/page-policy.ts`). Always 204: nobody learns what is kept. */
export function policyReportsRoute(): RawRoute {
  let minute = 0
  let taken = 0
  return {
    method: 'POST',
    path: '/csp-report',
    role: 'api',
    handle: async (deps, { body }) => {
      const now = deps.clock.now()
      const current = Math.floor(now.getTime() / MINUTE_MS)
      if (current !== minute) [minute, taken] = [current, 0]
      if (body.length > MOST_BYTES || ++taken > A_MINUTE) return DONE
      for (const report of readPolicyReports(body.toString('utf8'))) {
        countEvent('site.policy_report')
        await countReport(deps.db, shanghaiDay(now), report, LINES_A_DAY)
      }
      return DONE
    },
  }
}
