import { defineFeature } from '#platform/server/feature.ts'
import { identityErrors } from '../errors.ts'
import { identityTexts } from '../texts.ts'
import { identityConfig } from './config.ts'
import { findFaceCheck, faceRegistry } from './face/vendors/index.ts'
import { identityJobs } from './jobs.ts'
import { ocrPort, stopReader } from './ocr/verbs.ts'
import { eraseIdentity, identityPersonal } from './personal.ts'
import { identityRawRoutes, identityRoutes } from './routes.ts'
import { identitySealed, numbersKeyed } from './secrets.ts'
import { identityCommands } from './review/commands.ts'
import { identitySettings } from './settings.ts'
import { stopCleaning } from './uploads/clean-upload.ts'
import { getUploadStore, storeRegistry } from './uploads/vendors/index.ts'

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
