import type { ConfigShape } from '#platform/server/config.ts'
import { faceVendors } from './face/vendors/index.ts'
import { storeVendors } from './uploads/vendors/index.ts'

/** Environment variables of the face check and the picture store. */
export const identityConfig: ConfigShape = Object.assign({}, ...[...faceVendors, ...storeVendors].map(({ env }) => env))
