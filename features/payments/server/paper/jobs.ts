import type { JobSpec } from '#platform/server/jobs.ts'

export const paperJobs: readonly JobSpec[] = [
  { name: 'payments.papers', everyMs: 30_000, handle: async (deps) => (await import('./verbs/reissue-outdated.ts')).reissueOutdated(deps) },
]
