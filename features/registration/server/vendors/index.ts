import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { chosenSupplier, sandboxFault } from '../settings.ts'
import { http } from './http/index.ts'
import type { RegistrationSupplier, RegistrationTools, RegistrationSupplierVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Suppliers besides our own desk, one line each. */
const vendors: readonly RegistrationSupplierVendor[] = [http, sandbox]

export const registrationPort = {
  port: 'registration',
  operations: { submit: 'write', find: 'read', look: 'read', cancel: 'write' },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

export const registrationEnv = { ...http.env, ...sandbox.env } as const

const createTools = (deps: Deps): RegistrationTools => ({
  ...createSupplierTools(deps),
  fault: () => deps.settings.get(sandboxFault),
})

/** Connects a supplier; undefined if it is not configured, or if the sandbox is not allowed here. */
export function findRegistrationSupplier(deps: Deps, name: string): RegistrationSupplier | undefined {
  const vendor = vendors.find((one) => one.name === name)
  if (!vendor || (vendor.sandbox && !allowsSandbox(deps.config, 'service'))) return undefined
  const supplier = vendor.connect(deps.config, createTools(deps))
  return supplier && vendor.sandbox ? withFaults(registrationPort, supplier, () => deps.db) : supplier
}

/** Supplier of new registrations; undefined if operators at our own desk do them. */
export async function findChosenSupplier(deps: Deps): Promise<RegistrationSupplier | undefined> {
  const name = await deps.settings.get(chosenSupplier)
  return name === 'desk' ? undefined : findRegistrationSupplier(deps, name)
}
