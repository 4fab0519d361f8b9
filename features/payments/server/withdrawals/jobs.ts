import type { JobSpec } from '#platform/server/jobs.ts'

export const withdrawalJobs: readonly JobSpec[] = [
  { name: 'payments.withdrawals', everyMs: 1000, handle: async (deps) => (await import('./verbs/advance-withdrawals.ts')).advanceWithdrawals(deps) },
]
