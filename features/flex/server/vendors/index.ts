import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { supplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { sandboxFault } from '../settings.ts'
import type { SeatSupplier, SeatTools, SupplierVendor } from './port.ts'
import { postMessage, sandbox, shareStyle, showShare } from './sandbox/index.ts'

/** Suppliers with an API, one line each. Operators set up accounts that have none. */
const vendors: readonly SupplierVendor[] = [sandbox]

export const seatPort = {
  port: 'flex',
  operations: {
    accounts: 'read',
    admit: 'write',
    memberByKey: 'read',
    member: 'read',
    extend: 'write',
    enter: 'write',
    windows: 'read',
    remove: 'write',
  },
  vendors: vendors.map(({ name }) => name),
} as const satisfies SupplierPort

const seatTools = (deps: Deps): SeatTools => ({
  ...supplierTools(deps),
  publicUrl: deps.siteUrl,
  fault: () => deps.settings.get(sandboxFault),
})

export function suppliersOf(deps: Deps): readonly SeatSupplier[] {
  return vendors
    .filter((vendor) => !vendor.sandbox || allowsSandbox(deps.config, 'service'))
    .map((vendor) => withFaults(seatPort, vendor.connect(seatTools(deps)), () => (vendor.sandbox ? deps.db : undefined)))
}

/** Undefined: a person sets it up, or its supplier is not connected any more. */
export function supplierNamed(deps: Deps, name: string): SeatSupplier | undefined {
  return suppliersOf(deps).find((supplier) => supplier.name === name)
}

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }
const route = (method: 'GET' | 'POST', path: string, handle: typeof showShare): RawRoute => ({
  method,
  path,
  role: 'sandbox',
  handle: async (deps, request) => (allowsSandbox(deps.config, 'service') ? handle(seatTools(deps), request) : NOT_FOUND),
})

/** The sandbox's shared chat. */
export const sandboxRoutes: readonly RawRoute[] = [
  route('GET', '/sandbox/share/{token}', showShare),
  route('POST', '/sandbox/share/{token}', postMessage),
  route('GET', '/sandbox/share.css', shareStyle),
]
