import { defineFeature, type Deps } from '#platform/server/feature.ts'
import { identityErrors } from '../errors.ts'
import { identityTexts } from '../texts.ts'
import { findFaceCheck, faceRegistry } from './face/vendors/index.ts'
import { ocrPort, stopReader } from './ocr/verbs.ts'
import { eraseIdentity, identityPersonal } from './personal.ts'
import { identityRawRoutes, identityRoutes } from './routes.ts'
import { identitySealed, numbersKeyed } from './person.ts'
import { identityCommands } from './review/commands.ts'
import { identitySettings, photoDays } from './settings.ts'
import { stopCleaning } from './uploads/clean-upload.ts'
import { getUploadStore, storeRegistry } from './uploads/vendors/index.ts'
import type { ConfigShape } from '#platform/server/config.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { workChecks } from './face/settle-check.ts'
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

const identityJobs: readonly JobSpec[] = [
  { name: 'identity.checks', everyMs: 5000, handle: workChecks },
  { name: 'identity.cleanup', cron: '41 * * * *', handle: deleteOldUploads },
]

/** Environment variables of the face check and the picture store. */
const identityConfig: ConfigShape = { ...faceRegistry.env, ...storeRegistry.env }

export const identity = defineFeature({
  name: 'identity',
  suppliers: [faceRegistry.port, ocrPort, storeRegistry.port],
  texts: identityTexts,
  errors: identityErrors,
  routes: identityRoutes,
  rawRoutes: identityRawRoutes,
  commands: identityCommands,
  jobs: identityJobs,
  events: [{ event: 'user.deleted', name: 'identity', handle: (deps, { userId }: { userId: string }) => eraseIdentity(deps, userId) }],
  settings: identitySettings,
  config: identityConfig,
  personal: identityPersonal,
  sealed: identitySealed,
  keyed: [numbersKeyed],
  pageSources: async ({ config }) => ({ 'connect-src': getUploadStore({ config }).origins }),
  start: async (deps) => {
    // Wrong credentials stop the start, not the first member.
    findFaceCheck(deps)
    getUploadStore(deps)
    return async () => {
      stopReader()
      stopCleaning()
    }
  },
})
