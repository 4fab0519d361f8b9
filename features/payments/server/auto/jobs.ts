import type { JobSpec } from '#platform/server/jobs.ts'

export const autoJobs: readonly JobSpec[] = [
  { name: 'payments.auto-watch', everyMs: 5000, handle: async (deps) => (await import('./verbs/watch-balances.ts')).watchBalances(deps) },
  { name: 'payments.auto-send', everyMs: 2000, handle: async (deps) => (await import('./verbs/send-charge.ts')).sendCharges(deps) },
  { name: 'payments.auto-agreements', everyMs: 5000, handle: async (deps) => (await import('./verbs/work-agreements.ts')).workAgreements(deps) },
]
