import { defineFeature, type Deps } from '#platform/server/feature.ts'
import { noticeErrors } from '../errors.ts'
import { noticesTexts } from '../texts.ts'
import { listCarrierBalances } from './balances.ts'
import { noticesConfig, readNoticesConfig } from './config.ts'
import { buildMailPanel, buildSmsPanel } from './sandbox-panel.ts'
import { sandboxMailRoute, sandboxSmsRoute } from './sandbox-route.ts'
import { noticesSealedColumns } from './seal.ts'
import { noticesSettings } from './settings.ts'
import { mailPort, smsPort, chooseMailVendor } from './vendors/index.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { allowsSandbox, type SettingProblem } from '#platform/server/config.ts'
import { closeMailer } from './mailer.ts'

/** Requires an SMTP server for the worker in production, because the worker sends all mails. */
export function findMailProblems(config: Deps['config'], roles: ReadonlySet<string>): SettingProblem[] {
  const own = readNoticesConfig(config)
  if (roles.has('worker') && chooseMailVendor(own).sandbox && !allowsSandbox(own, 'mail'))
    return [
      {
        setting: 'SMTP_URL',
        problem: 'server for outgoing mail, smtp://… or smtps://…, with MAIL_FROM. ALLOW_SANDBOX=mail keeps mails in a mailbox here',
      },
    ]
  if (own.SMTP_URL && !own.MAIL_FROM) return [{ setting: 'MAIL_FROM', problem: 'sender of mails, "Name <address>"; SMTP_URL needs it' }]
  return []
}

/** Returns a function that closes the connections. */
async function startNotices(deps: Deps): Promise<() => Promise<void>> {
  return () => closeMailer(deps)
}

const noticesJobs: readonly JobSpec[] = [
  { name: 'notices.deliver-mail', handle: async (deps, data: { mailId: string }) => (await import('./verbs/deliver-mail.ts')).deliverMail(deps, data.mailId) },
  { name: 'notices.deliver-sms', handle: async (deps, data: { smsId: string }) => (await import('./verbs/deliver-sms.ts')).deliverSms(deps, data.smsId) },
  { name: 'notices.resume', everyMs: 5_000, handle: async (deps) => (await import('./verbs/resume-notices.ts')).resumeNotices(deps) },
  { name: 'notices.sweep', cron: '*/10 * * * *', handle: async (deps) => (await import('./verbs/sweep-notices.ts')).sweepNotices(deps) },
]

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
