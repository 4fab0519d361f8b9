import type { DatabaseSync } from 'node:sqlite'
import type { Sql } from '#platform/server/database/db.ts'

export interface IssuerBookCard {
  readonly state: string
  readonly address: { readonly line1: string; readonly line2: string; readonly city: string; readonly state: string; readonly postalCode: string }
}

/** A card as the sandbox issuer stores it; undefined if the issuer has no such card. */
export function findIssuerCard(issuer: DatabaseSync, ref: string): IssuerBookCard | undefined {
  const card = bodyOf(issuer, ref)
  const holder = card && bodyOf(issuer, card.holder as string)
  if (!card || !holder) return undefined
  // an issuer may store an address per card in addition to its holder's
  return { state: card.state as string, address: (card.billing ?? holder.address) as IssuerBookCard['address'] }
}

function bodyOf(issuer: DatabaseSync, ref: string): Record<string, unknown> | undefined {
  const row = issuer.prepare('select body from objects where ref = ?').get(ref) as { body: string } | undefined
  return row && (JSON.parse(row.body) as Record<string, unknown>)
}

const NANO_PER_CENT = 10_000_000n

/**
 * Purchases of all cards minus refunds: by our ledger account of the issuer, and by the issuer's own entries. Held amounts are not entries.
 */
export async function computeIssuerBalances(sql: Sql, issuer: DatabaseSync): Promise<{ ours: bigint; theirs: bigint }> {
  const [row] = await sql.query<{ ours: bigint }>(
    `select coalesce(sum(case when credit_kind = 'issuer' then amount else -amount end), 0)::bigint as ours
      from wallet_transfers where credit_kind = 'issuer' or debit_kind = 'issuer'`,
  )
  const sums = issuer.prepare(
    `select coalesce(sum(case when credit = 'merchants' then minor else -minor end), 0) as minor from entries where 'merchants' in (debit, credit)`,
  )
  return { ours: row!.ours, theirs: BigInt((sums.get() as { minor: number }).minor) * NANO_PER_CENT }
}
