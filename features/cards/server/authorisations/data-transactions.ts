import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { CardsTransactionsRow } from '../tables.ts'

export type CardTransaction = Omit<CardsTransactionsRow, 'bookedAt'>

export async function isTransactionBooked(sql: Sql, issuer: string, ref: string): Promise<boolean> {
  return (await sql.query('select 1 from cards_transactions where issuer = $1 and ref = $2', [issuer, ref], 'cards.booked')).length === 1
}

/** False: it was booked before. */
export async function insertTransaction(tx: Tx, row: CardTransaction): Promise<boolean> {
  const rows = await tx.query(
    `insert into cards_transactions (id, issuer, ref, card_id, authorization_id, kind, amount, fee, at) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)
    on conflict (issuer, ref) do nothing returning 1`,
    [row.id, row.issuer, row.ref, row.cardId, row.authorizationId, row.kind, row.amount, row.fee, row.at],
    'cards.transaction',
  )
  return rows.length === 1
}

export async function selectTransactionById(sql: Sql, id: string): Promise<CardTransaction | undefined> {
  return first(await sql.query<CardTransaction>('select * from cards_transactions where id = $1', [id]))
}
