import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { Shape } from '#platform/server/config.ts'

export type { Shape }

/**
 * A company that runs browsers beyond our own machines. A start carries a key: the same key again is the same session. Calls throw
 * `SupplierError`.
 */
export interface RemoteSupplier {
  readonly name: string
  /** What it answers is kept, so nothing secret. */
  start(key: string): Promise<Started>
  /** What `start` made under the key: asked when an answer was lost. */
  find(key: string): Promise<Started | undefined>
  look(ref: string): Promise<'starting' | 'running' | 'gone'>
  /** Where its user looks at it. Holds a token: for the user alone, kept nowhere. */
  enter(key: string, ref: string): Promise<string>
  /** It would end by itself otherwise. */
  keepAlive(ref: string): Promise<void>
  /** Ends and wipes it, and whatever else stands there under the key. What is gone is gone: a second time is no error. */
  end(key: string, ref: string | undefined): Promise<void>
}

export interface Started {
  readonly ref: string
}

/** Reason of a retryable call: it has no place now, and may have one in a moment. */
export const FULL = 'no_place'

export interface SupplierVendor {
  readonly name: string
  readonly env: Shape
  /** Undefined where no credentials are set. */
  readonly connect: (config: Readonly<Record<string, unknown>>, tools: Pick<SupplierTools, 'fetch'>) => RemoteSupplier | undefined
}
