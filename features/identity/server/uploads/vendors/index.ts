import { allowsSandbox } from '#platform/server/config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { FaultSource } from '#platform/server/suppliers/faults.ts'
import { deriveKey } from '#platform/server/sealing/seal.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { localVendor } from './local/index.ts'
import type { UploadStore, StoreTools, StoreVendor } from './port.ts'
import { s3 } from './s3/index.ts'

/** Stores for pictures of papers; the first configured one is used. The local folder is always configured. */
export const storeVendors: readonly StoreVendor[] = [s3, localVendor]
export const storePort = {
  port: 'identity.store',
  operations: { takeOut: 'read', dropUpload: 'write', put: 'write', get: 'read', drop: 'write' },
  vendors: storeVendors.map(({ name }) => name),
} as const satisfies SupplierPort

const connected = new WeakMap<object, UploadStore>()

export function getUploadStore(config: Deps['config']): UploadStore {
  const known = connected.get(config)
  if (known) return known
  for (const vendor of storeVendors) {
    const store = vendor.connect(config)
    if (!store) continue
    // The local folder fails only by fault injection, if sandboxes are allowed
    const usable =
      vendor.name === localVendor.name && allowsSandbox(config, 'identity') ? withFaults(storePort, store, ([tools]) => tools as FaultSource) : store
    connected.set(config, usable)
    return usable
  }
  throw new Error('no place for pictures of papers is configured')
}

export const createStoreTools = (deps: Pick<Deps, 'clock' | 'db' | 'publicUrl' | 'secretKey'>): StoreTools => ({
  ...createSupplierTools(deps),
  publicUrl: deps.publicUrl,
  secret: (purpose) => deriveKey(deps.secretKey, `identity.store.${purpose}`),
})
