import { countEvent } from '#platform/server/metrics.ts'
import type { RawReply, RawRoute } from '#platform/server/feature.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { countPageError, countPageEvent } from './data-pages.ts'
import { readPageReport } from './page-report.ts'

const MOST_BYTES = 4096
/** Sendings a minute that a process looks at. */
const A_MINUTE = 120
const MINUTE_MS = 60_000
/** Different lines a day. */
const LINES_A_DAY = 500

const DONE: RawReply = { status: 204, type: 'text/plain', body: '' }

/** Takes what fails in pages, and which way to pay was chosen (`apps/web/page-errors.ts`). Always 204: nobody learns what is kept. */
export function pageReportsRoute(): RawRoute {
  let minute = 0
  let taken = 0
  return {
    method: 'POST',
    path: '/common/pageReport',
    role: 'api',
    handle: async (deps, { body }) => {
      const now = deps.clock.now()
      const current = Math.floor(now.getTime() / MINUTE_MS)
      if (current !== minute) [minute, taken] = [current, 0]
      if (body.length > MOST_BYTES || ++taken > A_MINUTE) return DONE
      const report = readPageReport(body.toString('utf8'), deps.publicUrl())
      if (!report) return DONE
      const day = shanghaiDay(now)
      if ('event' in report) await countPageEvent(deps.db, day, report)
      else {
        countEvent('site.page_error')
        await countPageError(deps.db, day, report, LINES_A_DAY)
      }
      return DONE
    },
  }
}
