import * as audit from './auditor.ts'
import type { Model } from './auditor.ts'

/** The auditor's accounts as the database tells its own. */
export function stateOf(m: Model): string {
  const names = [...m.posted.keys()].map((name) => ({ name, held: name.includes('/customer/') ? audit.held(m, name) : 0n, posted: audit.posted(m, name) }))
  return names
    .filter((row) => row.posted !== 0n || row.held !== 0n)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((row) => `${row.name}=${row.posted},${row.held},${row.name.includes('/customer/') ? audit.granted(m, row.name) : 0n}`)
    .join(' ')
}

/** I1 and I3 on the database's own words. */
export function keepsItsPromises(state: string): void {
  const sums = new Map<string, bigint>()
  for (const row of state.split(' ').filter(Boolean)) {
    const [, kind, currency, posted, held] = /^[^/]+\/([^/]+)\/([^=]+)=([^,]+),([^,]+)/.exec(row)!
    sums.set(currency!, (sums.get(currency!) ?? 0n) + BigInt(posted!))
    if (['customer', 'suspense', 'in_transit'].includes(kind!) && BigInt(posted!) < BigInt(held!)) throw new Error(`${row} is overdrawn`)
  }
  for (const [currency, total] of sums) if (total !== 0n) throw new Error(`${currency} sums to ${total}`)
}
