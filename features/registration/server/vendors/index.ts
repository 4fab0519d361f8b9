import type { Deps } from '#platform/server/feature.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { chosenSupplier, sandboxFault } from '../settings.ts'
import { http } from './http/index.ts'
import type { RegistrationSupplier } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Suppliers besides our own desk, one line each. */
export const {
  port: registrationPort,
  env: registrationEnv,
  find: findRegistrationSupplier,
} = createVendorRegistry({
  port: 'registration',
  operations: { submit: 'write', find: 'read', look: 'read', cancel: 'write' },
  vendors: [http, sandbox],
  sandbox: 'service',
  createTools: (deps) => ({ ...createSupplierTools(deps), fault: () => deps.settings.get(sandboxFault) }),
})

/** Supplier of new registrations; undefined if operators at our own desk do them. */
export async function findChosenSupplier(deps: Deps): Promise<RegistrationSupplier | undefined> {
  return findRegistrationSupplier(deps, await deps.settings.get(chosenSupplier))
}
