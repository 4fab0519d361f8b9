import type { JobSpec } from '#platform/server/jobs.ts'
import { outsideJobs } from './vendors/index.ts'

export const paymentJobs: readonly JobSpec[] = [
  { name: 'payments.reconcile', everyMs: 5000, handle: async (deps) => (await import('./verbs/reconcile.ts')).reconcile(deps) },
  ...outsideJobs,
]
