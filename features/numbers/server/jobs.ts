import type { JobSpec } from '#platform/server/jobs.ts'

/** Retention period of message texts. */
const FORGET_HOURS = 24

export const numberJobs: readonly JobSpec[] = [
  { name: 'numbers.watch', everyMs: 250, handle: async (deps) => (await import('./watch/watch-numbers.ts')).watchNumbers(deps) },
  { name: 'numbers.strangers', everyMs: 60_000, handle: async (deps) => (await import('./rent/unmatched-numbers.ts')).releaseUnmatchedNumbers(deps) },
  { name: 'numbers.forget', cron: '17 * * * *', handle: async (deps) => (await import('./data.ts')).forgetMessages(deps.db, FORGET_HOURS) },
]
