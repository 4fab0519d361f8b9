import type { Log } from '#platform/server/log.ts'
import type { QuerySql } from '#platform/server/suppliers/data-faults.ts'

/** What a vendor may use. */
export interface ChannelTools {
  /** For outgoing requests; give every call a deadline. */
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly log: Log
  readonly publicUrl: () => string
  /** Where faults are planted for the sandbox; absent: none are. */
  readonly faults?: QuerySql
  /** 32 bytes of this installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}
