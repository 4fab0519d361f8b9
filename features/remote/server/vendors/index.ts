import type { Deps } from '#platform/server/feature.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { kasm } from './kasm/index.ts'
import type { RemoteSupplier, SupplierVendor } from './port.ts'

/** Suppliers that run browsers outside our machines, one line each. The first one with credentials is used; without one, our own engine runs. */
const vendors: readonly SupplierVendor[] = [kasm]

export const remotePort = {
  port: 'remote',
  operations: { start: 'write', find: 'read', look: 'read', enter: 'read', keepAlive: 'write', end: 'write' },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

export const suppliersEnv = { ...kasm.env } as const

const connected = new WeakMap<object, RemoteSupplier | null>()

/** A supplier of a test in place of the connected one. */
export const standIn = ({ config }: Pick<Deps, 'config'>, supplier: RemoteSupplier): void => void connected.set(config, supplier)

/** Undefined: our own engine does it. */
export function supplierOf({ config }: Pick<Deps, 'config'>): RemoteSupplier | undefined {
  const known = connected.get(config)
  if (known !== undefined) return known ?? undefined
  const found = vendors.map((vendor) => vendor.connect(config, { fetch: globalThis.fetch })).find((supplier) => supplier !== undefined)
  connected.set(config, found ?? null)
  return found
}
