import type { Shape } from '#platform/server/config.ts'
import { faceVendors } from './face/vendors/index.ts'
import { storeVendors } from './uploads/vendors/index.ts'

/** What the face check and the store of pictures read from the environment. */
export const identityConfig: Shape = Object.assign({}, ...[...faceVendors, ...storeVendors].map(({ env }) => env))
