import type { Log } from '#platform/server/log.ts'
import type { QuerySql } from '#platform/server/suppliers/data-faults.ts'

/** Dependencies that a vendor's code may use. */
export interface ChannelTools {
  /** For outgoing requests; give every call a deadline. */
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly log: Log
  readonly publicUrl: () => string
  /** Source of injected sandbox faults; absent: none. */
  readonly faults?: QuerySql
  /** Derives a 32-byte key of this installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}
