import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { supplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import type { SupplierVendor, UpgradeSupplier } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Who upgrades behind an interface; beside them people at the desk do. One line each. */
const vendors: readonly SupplierVendor[] = [sandbox]

export const upgradePort = {
  port: 'upgrade',
  operations: { place: 'write', byKey: 'read', look: 'read', cancel: 'write' },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

/** Undefined: people do it, or it is not connected any more. */
export function supplierNamed(deps: Deps, name: string): UpgradeSupplier | undefined {
  const vendor = vendors.find((each) => each.name === name && (!each.sandbox || allowsSandbox(deps.config, 'service')))
  return vendor && withFaults(upgradePort, vendor.connect(supplierTools(deps)), () => (vendor.sandbox ? deps.db : undefined))
}
