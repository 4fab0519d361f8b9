import type { Log } from '#platform/server/log.ts'

/** What a vendor may use. */
export interface ChannelTools {
  /** Leaves the house; give every call a deadline. */
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly log: Log
  readonly publicUrl: () => string
  /** 32 bytes of this installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}
