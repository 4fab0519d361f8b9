import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import type { ConfigHolder } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { alipay } from './alipay/index.ts'
import type { FaceVendor } from './port.ts'
import { answerFace, sandbox, sandboxStyle, showFace } from './sandbox/index.ts'

/** Face check vendors; the first configured one is used. One line each. */
export const faceRegistry = createVendorRegistry<FaceVendor, ConfigHolder>({
  port: 'identity.face',
  operations: { start: 'write', query: 'read' },
  vendors: [alipay, sandbox],
  sandbox: 'identity',
})

/** The configured face check; undefined if there is none, and only the deposit is offered. */
export const { first: findFaceCheck } = faceRegistry

/** Camera page of the sandbox. */
export const sandboxRoutes = faceRegistry.createSandboxRoutes(createSupplierTools, [
  { method: 'GET', path: '/sandbox/face/{ref}', handle: showFace },
  { method: 'POST', path: '/sandbox/face/{ref}', handle: answerFace },
  { method: 'GET', path: '/sandbox/face.css', handle: sandboxStyle },
])
