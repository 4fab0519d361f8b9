import type { ConfigShape } from '#platform/server/config.ts'
import { faceRegistry } from './face/vendors/index.ts'
import { storeRegistry } from './uploads/vendors/index.ts'

/** Environment variables of the face check and the picture store. */
export const identityConfig: ConfigShape = { ...faceRegistry.env, ...storeRegistry.env }
