import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

export interface ChannelTools extends SupplierTools {
  /** Derives a 32-byte key of this installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}
