import type { Deps } from '../deps.ts'
import type { Log } from '../log.ts'

/** Dependencies of every supplier adapter. Ports add their own. */
export interface SupplierTools {
  /** For outgoing requests; give every call a deadline. */
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly log: Log
  readonly publicUrl: () => string
  /** For sandboxes, which keep their state in our database; reaches only their own tables. */
  readonly query: <R>(text: string, values?: readonly unknown[]) => Promise<R[]>
}

/** `fetch` is looked up at each call, so that a test can replace it. */
export const createSupplierTools = ({ clock, db, log, publicUrl }: Pick<Deps, 'clock' | 'db' | 'log' | 'publicUrl'>): SupplierTools => ({
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => clock.now(),
  log,
  publicUrl,
  query: (text, values) => db.query(text, values) as Promise<never[]>,
})
