import type { JobSpec } from '#platform/server/jobs.ts'

export const noticesJobs: readonly JobSpec[] = [
  { name: 'notices.deliver-mail', handle: async (deps, data: { mailId: string }) => (await import('./verbs/deliver-mail.ts')).deliverMail(deps, data.mailId) },
  { name: 'notices.sweep-mails', cron: '*/10 * * * *', handle: async (deps) => (await import('./verbs/sweep-mails.ts')).sweepMails(deps) },
]
