import type { Deps } from '#platform/server/feature.ts'
import { deriveKey } from '#platform/server/sealing/seal.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import type { ConfigHolder } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { localVendor } from './local/index.ts'
import type { StoreTools, StoreVendor, UploadStore } from './port.ts'
import { s3 } from './s3/index.ts'

/** Stores for pictures of papers, one line each; the first configured one is used. The local folder is always configured. */
export const storeRegistry = createVendorRegistry<StoreVendor, ConfigHolder>({
  port: 'identity.store',
  operations: { takeOut: 'read', dropUpload: 'write', put: 'write', get: 'read', drop: 'write' },
  vendors: [s3, localVendor],
  sandbox: 'identity',
})

export function getUploadStore(deps: ConfigHolder): UploadStore {
  const store = storeRegistry.first(deps)
  if (!store) throw new Error('no place for pictures of papers is configured')
  return store
}

export const createStoreTools = (deps: Pick<Deps, 'clock' | 'db' | 'log' | 'publicUrl' | 'secretKey'>): StoreTools => ({
  ...createSupplierTools(deps),
  secret: (purpose) => deriveKey(deps.secretKey, `identity.store.${purpose}`),
})
