import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { OpenReason } from '../../words.ts'
import type { Card } from '../cards/data.ts'

/** Serializes the openings of one user until the transaction ends. */
export async function lockOpenings(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cards.openings:' || $1, 0))`, [userId])
}

export interface IssuerHolder {
  readonly holderRef: string | null
  /** Number of times that the holder was created; part of the key at the issuer. */
  readonly generation: number
}

export async function selectIssuerHolder(sql: Sql, issuer: string, userId: string): Promise<IssuerHolder> {
  const rows = await sql.query<IssuerHolder>('select holder_ref, generation from cards_holders where issuer = $1 and user_id = $2', [issuer, userId])
  return first(rows) ?? { holderRef: null, generation: 0 }
}

export async function upsertIssuerHolder(sql: Sql, issuer: string, { userId, ref }: { readonly userId: string; readonly ref: string }): Promise<void> {
  await sql.query(
    `insert into cards_holders (issuer, user_id, holder_ref) values ($1,$2,$3)
    on conflict (issuer, user_id) do update set holder_ref = excluded.holder_ref`,
    [issuer, userId, ref],
  )
}

/** Makes the next opening create the holder again, with corrected data; the holder is kept while it has a card at the issuer. */
export async function resetIssuerHolder(tx: Tx, issuer: string, userId: string): Promise<void> {
  await tx.query(
    `insert into cards_holders as h (issuer, user_id, generation) values ($1,$2,1)
    on conflict (issuer, user_id) do update set holder_ref = null, generation = h.generation + 1
      where not exists (select from cards_cards c where c.issuer = $1 and c.user_id = $2 and c.card_ref is not null and c.state in ('active','frozen','closing'))`,
    [issuer, userId],
  )
}

/** Reason for which the issuer refused this user since `savedAt`, when the data was last saved; undefined if it did not. */
export async function selectIssuerRefusal(
  sql: Sql,
  issuer: string,
  { userId, savedAt }: { readonly userId: string; readonly savedAt: Date | null },
): Promise<OpenReason | undefined> {
  const rows = await sql.query<{ reason: OpenReason }>(
    'select reason from cards_refusals where issuer = $1 and user_id = $2 and ($3::timestamptz is null or at > $3)',
    [issuer, userId, savedAt],
  )
  return first(rows)?.reason
}

export async function upsertIssuerRefusal(
  tx: Tx,
  { issuer, userId }: Pick<Card, 'issuer' | 'userId'>,
  { reason, now }: { readonly reason: OpenReason; readonly now: Date },
): Promise<void> {
  await tx.query(
    `insert into cards_refusals (issuer, user_id, reason, at) values ($1,$2,$3,$4)
    on conflict (issuer, user_id) do update set reason = excluded.reason, at = excluded.at`,
    [issuer, userId, reason, now],
  )
}

/** Records a wait for operators: for a day the issuer has not confirmed whether the card exists. */
export async function upsertOpeningWait(sql: Sql, card: Card, failed: SupplierError): Promise<void> {
  await sql.query(
    `insert into supplier_waits as w (subject, port, supplier, operation, kind, reason, detail, since, work_at)
    values ($1, 'cards.issuer', $2, 'createCard', 'unknown', $3, $4, $5, clock_timestamp())
    on conflict (subject) do update set tries = w.tries + 1, reason = excluded.reason, detail = excluded.detail, work_at = coalesce(w.work_at, excluded.work_at)`,
    [formatWaitSubject(card), card.issuer, failed.reason, failed.detail, card.askedAt],
  )
}

export async function deleteOpeningWait(sql: Sql, card: Card): Promise<void> {
  await sql.query('delete from supplier_waits where subject = $1', [formatWaitSubject(card)])
}

/** Subject of a wait: the card's order, where operators decide it, or the card without one. */
const formatWaitSubject = ({ id, orderNo }: Card): string => (orderNo === null ? `card:${id}` : `order:${orderNo}`)

/** Cards that work or will work: not failed, closed, or being replaced by another that counts. */
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
