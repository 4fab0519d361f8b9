import type { Deps } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { workChecks } from './face/settle-check.ts'
import { photoDays } from './settings.ts'
import { selectFilesToDelete } from './uploads/data.ts'
import { deleteFiles } from './uploads/verbs.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

/** Deletes pictures past their retention, and uploads that were never completed. */
export async function deleteOldUploads(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime()
  const kept = new Date(now - (await deps.settings.get(photoDays)) * DAY_MS)
  for (;;) {
    const rows = await selectFilesToDelete(deps.db, new Date(now - HOUR_MS), kept)
    if (!rows.length) return
    await deleteFiles(deps, rows)
  }
}

export const identityJobs: readonly JobSpec[] = [
  { name: 'identity.checks', everyMs: 5000, handle: workChecks },
  { name: 'identity.cleanup', cron: '41 * * * *', handle: deleteOldUploads },
]
