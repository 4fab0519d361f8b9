import type { JobSpec } from '#platform/server/jobs.ts'

export const noticesJobs: readonly JobSpec[] = [
  { name: 'notices.deliver-mail', handle: async (deps, data: { mailId: string }) => (await import('./verbs/deliver-mail.ts')).deliverMail(deps, data.mailId) },
  { name: 'notices.deliver-sms', handle: async (deps, data: { smsId: string }) => (await import('./verbs/deliver-sms.ts')).deliverSms(deps, data.smsId) },
  { name: 'notices.resume', everyMs: 5_000, handle: async (deps) => (await import('./verbs/resume-notices.ts')).resumeNotices(deps) },
  { name: 'notices.sweep', cron: '*/10 * * * *', handle: async (deps) => (await import('./verbs/sweep-notices.ts')).sweepNotices(deps) },
]
