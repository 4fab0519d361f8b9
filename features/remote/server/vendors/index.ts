import type { Deps } from '#platform/server/feature.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { kasm } from './kasm/index.ts'
import type { RemoteSupplier, RemoteSupplierVendor } from './port.ts'

/** Suppliers that run browsers outside our machines, one line each. The first one with credentials is used; without one, our own engine runs. */
const vendors: readonly RemoteSupplierVendor[] = [kasm]

export const remotePort = {
  port: 'remote',
  operations: { start: 'write', find: 'read', look: 'read', enter: 'read', keepAlive: 'write', end: 'write' },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

export const remoteSuppliersEnv = { ...kasm.env } as const

const connectedSuppliers = new WeakMap<object, RemoteSupplier | null>()

/** A test's supplier, which replaces the configured one. */
export const replaceRemoteSupplier = ({ config }: Pick<Deps, 'config'>, supplier: RemoteSupplier): void => void connectedSuppliers.set(config, supplier)

/** The configured supplier; undefined if our own engine runs browsers. */
export function findRemoteSupplier({ config }: Pick<Deps, 'config'>): RemoteSupplier | undefined {
  const known = connectedSuppliers.get(config)
  if (known !== undefined) return known ?? undefined
  const found = vendors.map((vendor) => vendor.connect(config, { fetch: globalThis.fetch })).find((supplier) => supplier !== undefined)
  connectedSuppliers.set(config, found ?? null)
  return found
}
