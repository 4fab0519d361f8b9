import { countEvent } from '#platform/server/metrics.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { countPageError, countPageEvent } from './data-pages.ts'
import { readPageReport } from './page-report.ts'
import { LINES_A_DAY, createReportRoute } from './report-route.ts'

/** Accepts page errors and the selected payment channels (`apps/web/page-errors.ts`). */
export const createPageReportsRoute = (): RawRoute =>
  createReportRoute({
    path: '/common/pageReport',
    mostBytes: 4096,
    aMinute: 120,
    keep: async (deps, text) => {
      const report = readPageReport(text, deps.publicUrl())
      if (!report) return
      const day = toShanghaiDay(deps.clock.now())
      if ('event' in report) return countPageEvent(deps.db, day, report)
      countEvent('site.page_error')
      await countPageError(deps.db, day, { error: report, most: LINES_A_DAY })
    },
  })
