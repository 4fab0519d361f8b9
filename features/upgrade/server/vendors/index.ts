import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import type { UpgradeSupplierVendor, UpgradeSupplier } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Suppliers with an API; operators at the desk do the rest. One line each. */
const vendors: readonly UpgradeSupplierVendor[] = [sandbox]

export const upgradePort = {
  port: 'upgrade',
  operations: { place: 'write', byKey: 'read', look: 'read', cancel: 'write' },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

/** The named supplier; undefined if the desk does it, or the supplier is no longer configured. */
export function findUpgradeSupplier(deps: Deps, name: string): UpgradeSupplier | undefined {
  const vendor = vendors.find((each) => each.name === name && (!each.sandbox || allowsSandbox(deps.config, 'service')))
  return vendor && withFaults(upgradePort, vendor.connect(createSupplierTools(deps)), () => (vendor.sandbox ? deps.db : undefined))
}
