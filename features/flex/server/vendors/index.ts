import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { sandboxFault } from '../settings.ts'
import type { SeatSupplier, SeatTools, SeatSupplierVendor } from './port.ts'
import { postMessage, sandbox, shareStyle, showShare } from './sandbox/index.ts'

/** Suppliers with an API, one line each. Operators set up accounts that have none. */
const vendors: readonly SeatSupplierVendor[] = [sandbox]

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

const createSeatTools = (deps: Deps): SeatTools => ({
  ...createSupplierTools(deps),
  publicUrl: deps.siteUrl,
  fault: () => deps.settings.get(sandboxFault),
})

export function listSeatSuppliers(deps: Deps): readonly SeatSupplier[] {
  return vendors
    .filter((vendor) => !vendor.sandbox || allowsSandbox(deps.config, 'service'))
    .map((vendor) => withFaults(seatPort, vendor.connect(createSeatTools(deps)), () => (vendor.sandbox ? deps.db : undefined)))
}

/** Supplier of an account; undefined if operators set it up, or if the supplier is no longer connected. */
export function findSeatSupplier(deps: Deps, name: string): SeatSupplier | undefined {
  return listSeatSuppliers(deps).find((supplier) => supplier.name === name)
}

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }
const sandboxRoute = (method: 'GET' | 'POST', path: string, handle: typeof showShare): RawRoute => ({
  method,
  path,
  role: 'sandbox',
  handle: async (deps, request) => (allowsSandbox(deps.config, 'service') ? handle(createSeatTools(deps), request) : NOT_FOUND),
})

/** The sandbox's shared chat. */
export const sandboxRoutes: readonly RawRoute[] = [
  sandboxRoute('GET', '/sandbox/share/{token}', showShare),
  sandboxRoute('POST', '/sandbox/share/{token}', postMessage),
  sandboxRoute('GET', '/sandbox/share.css', shareStyle),
]
