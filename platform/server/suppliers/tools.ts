import type { Deps } from '../feature.ts'

/** What every adapter of a supplier is given: none reaches for the network, the time or the database by itself. Ports add their own. */
export interface SupplierTools {
  readonly fetch: typeof fetch
  readonly now: () => Date
  /** For sandboxes, which keep their books in our database. */
  readonly query: <R>(text: string, values?: readonly unknown[]) => Promise<R[]>
}

/** `fetch` is looked up at each call, so that a test can put its own in place. */
export const supplierTools = ({ clock, db }: Pick<Deps, 'clock' | 'db'>): SupplierTools => ({
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => clock.now(),
  query: (text, values) => db.query(text, values) as Promise<never[]>,
})
