import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { sandbox } from './sandbox/index.ts'

/** Suppliers with an API, one line each; operators at the desk do the rest. `find`: undefined if the supplier is no longer configured. */
export const { port: upgradePort, find: findUpgradeSupplier } = createVendorRegistry({
  port: 'upgrade',
  operations: { place: 'write', byKey: 'read', look: 'read', cancel: 'write' },
  vendors: [sandbox],
  sandbox: 'service',
  createTools: createSupplierTools,
})
