import type { Feature } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { deleteOldRows } from '../data.ts'
import { buildOutboxJobs } from '#platform/server/database/outbox.ts'

/** Runs every job of every feature, and the relay that turns outbox events into jobs. */
export function collectJobSpecs(features: readonly Feature[]): JobSpec[] {
  return [...buildOutboxJobs(features.flatMap((feature) => feature.events ?? [])), ...features.flatMap((feature) => feature.jobs ?? []), forgetOldRows]
}

const forgetOldRows: JobSpec = {
  name: 'platform.forget-old-rows',
  cron: '17 * * * *',
  handle: (deps) => transact(deps.db, SYSTEM, deleteOldRows),
}
