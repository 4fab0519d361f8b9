import { countEvent } from '#platform/server/metrics.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { countPolicyReport } from './data.ts'
import { readPolicyReports } from './policy-report.ts'
import { LINES_A_DAY, createReportRoute } from './report-route.ts'

/** Accepts browser reports about the pages' content security policy (`apps/server/pages/serve-pages.ts`). */
export const createPolicyReportsRoute = (): RawRoute =>
  createReportRoute({
    path: '/csp-report',
    mostBytes: 16_384,
    aMinute: 60,
    keep: async (deps, text) => {
      for (const report of readPolicyReports(text)) {
        countEvent('site.policy_report')
        await countPolicyReport(deps.db, toShanghaiDay(deps.clock.now()), { report, most: LINES_A_DAY })
      }
    },
  })
