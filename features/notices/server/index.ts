import { defineFeature } from '#platform/server/feature.ts'
import { noticeErrors } from '../errors.ts'
import { noticesTexts } from '../texts.ts'
import { carrierBalances } from './balances.ts'
import { noticesConfig } from './config.ts'
import { noticesJobs } from './jobs.ts'
import { mailPanel, smsPanel } from './sandbox-panel.ts'
import { sandboxMailRoute, sandboxSmsRoute } from './sandbox-route.ts'
import { noticesSealed } from './seal.ts'
import { noticesSettings } from './settings.ts'
import { missingForMails, startNotices } from './start.ts'
import { mailPort, smsPort } from './vendors/index.ts'

export const notices = defineFeature({
  name: 'notices',
  suppliers: [mailPort, smsPort],
  texts: noticesTexts,
  errors: noticeErrors,
  rawRoutes: [sandboxMailRoute, sandboxSmsRoute],
  sandboxPanels: [mailPanel, smsPanel],
  jobs: noticesJobs,
  settings: noticesSettings,
  sealed: noticesSealed,
  balances: carrierBalances,
  config: noticesConfig,
  missing: missingForMails,
  start: startNotices,
})
