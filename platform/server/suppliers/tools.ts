import type { Deps } from '../feature.ts'

/** Dependencies of every supplier adapter: network, clock and database. Ports add their own. */
export interface SupplierTools {
  readonly fetch: typeof fetch
  readonly now: () => Date
  /** For sandboxes, which keep their state in our database. */
  readonly query: <R>(text: string, values?: readonly unknown[]) => Promise<R[]>
}

/** `fetch` is looked up at each call, so that a test can replace it. */
export const createSupplierTools = ({ clock, db }: Pick<Deps, 'clock' | 'db'>): SupplierTools => ({
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => clock.now(),
  query: (text, values) => db.query(text, values) as Promise<never[]>,
})
