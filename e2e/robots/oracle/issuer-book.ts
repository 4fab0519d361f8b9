import type { DatabaseSync } from 'node:sqlite'
import type { Sql } from '#platform/server/database/db.ts'

export interface IssuersCard {
  readonly state: string
  readonly address: { readonly line1: string; readonly line2: string; readonly city: string; readonly state: string; readonly postalCode: string }
}

/** A card as the sandbox issuer has it in its own store; undefined where it has none. */
export function issuerBook(issuer: DatabaseSync, ref: string): IssuersCard | undefined {
  const card = bodyOf(issuer, ref)
  const holder = card && bodyOf(issuer, card.holder as string)
  if (!card || !holder) return undefined
  // an issuer may keep an address for each card beside its holder's
  return { state: card.state as string, address: (card.billingAddress ?? card.address ?? holder.address) as IssuersCard['address'] }
}

function bodyOf(issuer: DatabaseSync, ref: string): Record<string, unknown> | undefined {
  const row = issuer.prepare('select body from objects where ref = ?').get(ref) as { body: string } | undefined
  return row && (JSON.parse(row.body) as Record<string, unknown>)
}

interface Balance {
  readonly account: string
  readonly ours: bigint
  readonly theirs: bigint
}

const NANO_PER_CENT = 10_000_000n

/** What cards spent less what came back, by the issuer's entries and by ours, each card by itself. Held amounts are no entries. */
export async function issuersBalances(sql: Sql, issuer: DatabaseSync): Promise<Balance[]> {
  const ours = await sql.query<{ card_ref: string; spent: bigint }>(
    `select c.card_ref, coalesce((select sum(case when t.credit_kind = 'issuer' then t.amount when t.debit_kind = 'issuer' then -t.amount else 0 end)
        from wallet_transactions x join wallet_transfers t on t.transaction_id = x.id
        join cards_transactions k on k.card_id = c.id and x.ref like '%' || k.ref || '%'), 0)::bigint as spent
      from cards_cards c where c.card_ref is not null`,
  )
  const rows = issuer.prepare(`select debit, credit, minor, what from entries where debit like 'card:%' or credit like 'card:%'`).all() as unknown as {
    debit: string
    credit: string
    minor: number
    what: string
  }[]
  return ours.map(({ card_ref: ref, spent }) => {
    const mine = rows.filter(({ debit, credit, what }) => (debit === `card:${ref}` || credit === `card:${ref}`) && !what.startsWith('load'))
    const theirs = mine.reduce((sum, { debit, minor }) => sum + (debit === `card:${ref}` ? BigInt(minor) : -BigInt(minor)), 0n)
    return { account: ref, ours: spent, theirs: theirs * NANO_PER_CENT }
  })
}
