import type { JobSpec } from '#platform/server/jobs.ts'

export const supportJobs: readonly JobSpec[] = [
  { name: 'support.notify-away', everyMs: 5_000, handle: async (deps) => (await import('./verbs/notify-away.ts')).notifyAway(deps) },
  { name: 'support.forget-old', cron: '41 19 * * *', handle: async (deps) => (await import('./verbs/sweep-old-records.ts')).sweepOldRecords(deps) },
]
