import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { kasm } from './kasm/index.ts'

/** Suppliers that run browsers outside our machines, one line each. The first one with credentials is used; without one, our own engine runs. */
export const {
  port: remotePort,
  env: remoteSuppliersEnv,
  first: findRemoteSupplier,
  replace: replaceRemoteSuppliers,
} = createVendorRegistry({
  port: 'remote',
  operations: { start: 'write', find: 'read', look: 'read', enter: 'read', keepAlive: 'write', end: 'write' },
  vendors: [kasm],
  sandbox: 'service',
  createTools: createSupplierTools,
})
