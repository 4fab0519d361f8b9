import type { JobSpec } from '#platform/server/jobs.ts'

/** Each reward in a transaction of its own, from the state it is in: running twice, or in two processes, does no harm. */
export const invitationJobs: readonly JobSpec[] = [
  { name: 'invitations.release', everyMs: 5000, handle: async (deps) => (await import('./rewards/release-due.ts')).releaseDueRewards(deps) },
]
