import { createLog } from '#platform/server/log.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

/** Tools of an adapter under test: the real network, the machine's clock, a silent log and an empty database. */
export const aSupplierTools = (): SupplierTools => ({
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => new Date(),
  log: createLog('silent'),
  publicUrl: () => 'https://shop.example',
  query: async () => [],
})
