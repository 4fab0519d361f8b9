import { defineFeature } from '#platform/server/feature.ts'
import { noticeErrors } from '../errors.ts'
import { noticesTexts } from '../texts.ts'
import { listCarrierBalances } from './balances.ts'
import { noticesConfig } from './config.ts'
import { noticesJobs } from './jobs.ts'
import { buildMailPanel, buildSmsPanel } from './sandbox-panel.ts'
import { sandboxMailRoute, sandboxSmsRoute } from './sandbox-route.ts'
import { noticesSealedColumns } from './seal.ts'
import { noticesSettings } from './settings.ts'
import { findMailProblems, startNotices } from './start.ts'
import { mailPort, smsPort } from './vendors/index.ts'

export const notices = defineFeature({
  name: 'notices',
  suppliers: [mailPort, smsPort],
  texts: noticesTexts,
  errors: noticeErrors,
  rawRoutes: [sandboxMailRoute, sandboxSmsRoute],
  sandboxPanels: [buildMailPanel, buildSmsPanel],
  jobs: noticesJobs,
  settings: noticesSettings,
  sealed: noticesSealedColumns,
  balances: listCarrierBalances,
  config: noticesConfig,
  missing: findMailProblems,
  start: startNotices,
})
