import * as audit from './auditor.ts'
import type { LedgerModel } from './auditor.ts'

/** The auditor's accounts in the format of the database. */
export function formatModelState(m: LedgerModel): string {
  const names = [...m.posted.keys()].map((name) => ({
    name,
    held: name.includes('/customer/') ? audit.getHeld(m, name) : 0n,
    posted: audit.getPosted(m, name),
  }))
  return names
    .filter((row) => row.posted !== 0n || row.held !== 0n)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((row) => `${row.name}=${row.posted},${row.held},${row.name.includes('/customer/') ? audit.getGranted(m, row.name) : 0n}`)
    .join(' ')
}

/** Checks I1 and I3 on the database's own output. */
export function assertLedgerInvariants(state: string): void {
  const sums = new Map<string, bigint>()
  for (const row of state.split(' ').filter(Boolean)) {
    const [, kind, currency, posted, held] = /^[^/]+\/([^/]+)\/([^=]+)=([^,]+),([^,]+)/.exec(row)!
    sums.set(currency!, (sums.get(currency!) ?? 0n) + BigInt(posted!))
    if (['customer', 'suspense', 'in_transit'].includes(kind!) && BigInt(posted!) < BigInt(held!)) throw new Error(`${row} is overdrawn`)
  }
  for (const [currency, total] of sums) if (total !== 0n) throw new Error(`${currency} sums to ${total}`)
}
