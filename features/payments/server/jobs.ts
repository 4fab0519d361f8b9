import type { JobSpec } from '#platform/server/jobs.ts'
import { channelSandboxJobs } from './vendors/index.ts'

export const paymentJobs: readonly JobSpec[] = [
  { name: 'payments.reconcile', everyMs: 5000, handle: async (deps) => (await import('./reconciling/reconcile.ts')).reconcile(deps) },
  { name: 'payments.refunds', everyMs: 1000, handle: async (deps) => (await import('./reconciling/reconcile.ts')).workRefunds(deps) },
  { name: 'payments.evidence', everyMs: 2000, handle: async (deps) => (await import('./refunds/evidence/send-evidence.ts')).sendEvidence(deps) },
  // 10:00 in Shanghai, when the files of the previous day are available.
  { name: 'payments.plan-statements', cron: '0 2 * * *', handle: async (deps) => (await import('./statements/compare-statements.ts')).planStatements(deps) },
  { name: 'payments.statements', everyMs: 60_000, handle: async (deps) => (await import('./statements/compare-statements.ts')).compareStatements(deps) },
  ...channelSandboxJobs,
]
