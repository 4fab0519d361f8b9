import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { SupplierError } from '#platform/shared/supplier-error.ts'
import type { OpenReason } from '../../words.ts'
import type { Card } from '../cards/data.ts'

/** The row is there and locked from here on: two openings of one user follow each other. */
export async function lockOpenings(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cards.openings:' || $1, 0))`, [userId])
}

export interface IssuerHolder {
  readonly holder_ref: string | null
  /** Counts how often the holder was created again; part of the key that the issuer knows it by. */
  readonly generation: number
}

export async function selectIssuerHolder(sql: Sql, issuer: string, userId: string): Promise<IssuerHolder> {
  const rows = await sql.query<IssuerHolder>('select holder_ref, generation from cards_holders where issuer = $1 and user_id = $2', [issuer, userId])
  return first(rows) ?? { holder_ref: null, generation: 0 }
}

export async function upsertIssuerHolder(sql: Sql, issuer: string, userId: string, ref: string): Promise<void> {
  await sql.query(
    `insert into cards_holders (issuer, user_id, holder_ref) values ($1,$2,$3)
    on conflict (issuer, user_id) do update set holder_ref = excluded.holder_ref`,
    [issuer, userId, ref],
  )
}

/** The next opening creates the holder again, with what was corrected; kept while the holder has a card there. */
export async function resetIssuerHolder(tx: Tx, issuer: string, userId: string): Promise<void> {
  await tx.query(
    `insert into cards_holders as h (issuer, user_id, generation) values ($1,$2,1)
    on conflict (issuer, user_id) do update set holder_ref = null, generation = h.generation + 1
      where not exists (select from cards_cards c where c.issuer = $1 and c.user_id = $2 and c.card_ref is not null and c.state in ('active','frozen','closing'))`,
    [issuer, userId],
  )
}

/** Undefined unless the issuer has refused this user since `savedAt`, when the data were saved last. */
export async function selectIssuerRefusal(sql: Sql, issuer: string, userId: string, savedAt: Date | null): Promise<OpenReason | undefined> {
  const rows = await sql.query<{ reason: OpenReason }>(
    'select reason from cards_refusals where issuer = $1 and user_id = $2 and ($3::timestamptz is null or at > $3)',
    [issuer, userId, savedAt],
  )
  return first(rows)?.reason
}

export async function upsertIssuerRefusal(tx: Tx, { issuer, user_id: userId }: Pick<Card, 'issuer' | 'user_id'>, reason: OpenReason, now: Date): Promise<void> {
  await tx.query(
    `insert into cards_refusals (issuer, user_id, reason, at) values ($1,$2,$3,$4)
    on conflict (issuer, user_id) do update set reason = excluded.reason, at = excluded.at`,
    [issuer, userId, reason, now],
  )
}

/** Operators have to look: the issuer has not said for a day whether there is a card. */
export async function upsertOpeningWait(sql: Sql, card: Card, failed: SupplierError): Promise<void> {
  await sql.query(
    `insert into supplier_waits as w (subject, port, supplier, operation, kind, reason, detail, since, work_at)
    values ($1, 'cards.issuer', $2, 'createCard', 'unknown', $3, $4, $5, clock_timestamp())
    on conflict (subject) do update set tries = w.tries + 1, reason = excluded.reason, detail = excluded.detail, work_at = coalesce(w.work_at, excluded.work_at)`,
    [formatWaitSubject(card), card.issuer, failed.reason, failed.detail, card.asked_at],
  )
}

export async function deleteOpeningWait(sql: Sql, card: Card): Promise<void> {
  await sql.query('delete from supplier_waits where subject = $1', [formatWaitSubject(card)])
}

/** Operators decide it at its order. */
const formatWaitSubject = ({ id, order_no: orderNo }: Card): string => (orderNo === null ? `card:${id}` : `order:${orderNo}`)

/** Cards that work or will: neither failed, nor ended, nor being replaced by another that counts. */
export async function countUserCards(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from cards_cards where user_id = $1 and replaces is null and state not in ('closing','closed','failed')
      or user_id = $1 and replaces is not null and state in ('active','frozen')`,
    [userId],
  )
  return Number(row!.n)
}

export async function countLivingCards(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(`select count(*) as n from cards_cards where user_id = $1 and state not in ('closed','failed')`, [userId])
  return Number(row!.n)
}

export async function selectCardIdByOrder(sql: Sql, orderNo: string): Promise<string | undefined> {
  return first(await sql.query<{ id: string }>('select id from cards_cards where order_no = $1', [orderNo]))?.id
}
