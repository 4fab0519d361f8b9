import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { FaultSource } from '#platform/server/suppliers/faults.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { alipay } from './alipay/index.ts'
import type { FaceCheck, FaceTools, FaceVendor } from './port.ts'
import { answerFace, sandbox, sandboxStyle, showFace } from './sandbox/index.ts'

/** Face check vendors; the first configured one is used. One line each. */
export const faceVendors: readonly FaceVendor[] = [alipay, sandbox]
export const facePort = {
  port: 'identity.face',
  operations: { start: 'write', query: 'read' },
  vendors: faceVendors.map(({ name }) => name),
} as const satisfies SupplierPort

const connected = new WeakMap<object, FaceCheck>()

/** The configured face check; undefined if there is none, and only the deposit is offered. */
export function findFaceCheck(config: Deps['config']): FaceCheck | undefined {
  const known = connected.get(config)
  if (known) return known
  const vendor = faceVendors
    .filter((one) => !one.sandbox || allowsSandbox(config, 'identity'))
    .map((one) => {
      const check = one.connect(config)
      return check && one.sandbox ? withFaults(facePort, check, ([tools]) => tools as FaultSource) : check
    })
    .find(Boolean)
  if (vendor) connected.set(config, vendor)
  return vendor
}

export const createFaceTools = (deps: Pick<Deps, 'clock' | 'db'>): FaceTools => createSupplierTools(deps)

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }
const route = (method: 'GET' | 'POST', path: string, handle: typeof showFace): RawRoute => ({
  method,
  path,
  role: 'sandbox',
  handle: async (deps, request) => (allowsSandbox(deps.config, 'identity') ? handle(createFaceTools(deps), request) : NOT_FOUND),
})

/** Camera page of the sandbox. */
export const sandboxRoutes: readonly RawRoute[] = [
  route('GET', '/sandbox/face/{ref}', showFace),
  route('POST', '/sandbox/face/{ref}', answerFace),
  route('GET', '/sandbox/face.css', sandboxStyle),
]
