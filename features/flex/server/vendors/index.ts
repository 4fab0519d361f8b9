import type { Deps } from '#platform/server/feature.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { sandboxFault } from '../settings.ts'
import type { SeatTools } from './port.ts'
import { postMessage, sandbox, shareStyle, showShare } from './sandbox/index.ts'

const createSeatTools = (deps: Deps): SeatTools => ({
  ...createSupplierTools(deps),
  publicUrl: deps.siteUrl,
  fault: () => deps.settings.get(sandboxFault),
})

/** Suppliers with an API, one line each. Operators set up accounts that have none. */
const seatRegistry = createVendorRegistry({
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
  vendors: [sandbox],
  sandbox: 'service',
  createTools: createSeatTools,
  // links lead to the address in the user's browser
  reconnects: true,
})

/** `find`: undefined if operators set the account up, or if its supplier is no longer connected. */
export const { port: seatPort, list: listSeatSuppliers, find: findSeatSupplier } = seatRegistry

/** The sandbox's shared chat. */
export const sandboxRoutes = seatRegistry.createSandboxRoutes(createSeatTools, [
  { method: 'GET', path: '/sandbox/share/{token}', handle: showShare },
  { method: 'POST', path: '/sandbox/share/{token}', handle: postMessage },
  { method: 'GET', path: '/sandbox/share.css', handle: shareStyle },
])
