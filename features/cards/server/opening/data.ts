import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

export interface Member {
  readonly user_id: string
  readonly until: Date
  readonly chosen_card: string | null
}

export async function memberOf(sql: Sql, userId: string): Promise<Member | undefined> {
  return first(await sql.query<Member>('select user_id, until, chosen_card from cards_members where user_id = $1', [userId], 'cards.member'))
}

/** From today, or from the end of what still runs. */
export async function extendMember(tx: Tx, userId: string, years: number, now: Date): Promise<Date> {
  const [row] = await tx.query<{ until: Date }>(
    `insert into cards_members as m (user_id, until) values ($1, $3::timestamptz + make_interval(years => $2))
    on conflict (user_id) do update set until = greatest(m.until, $3) + make_interval(years => $2) returning until`,
    [userId, years, now],
  )
  return row!.until
}

/** What an order of membership brings; returns until when it lasts now. */
export async function giveYears(tx: Tx, { orderNo, userId }: { orderNo: string; userId: string }, years: number, now: Date): Promise<Date> {
  await tx.query('insert into cards_memberships (order_no, user_id, years) values ($1,$2,$3)', [orderNo, userId, years])
  return extendMember(tx, userId, years, now)
}

/** Takes back what an order brought, once; nothing where it brought nothing. */
export async function takeYears(tx: Tx, orderNo: string): Promise<void> {
  await tx.query(
    `with taken as (update cards_memberships set undone_at = now() where order_no = $1 and undone_at is null returning user_id, years)
    update cards_members m set until = m.until - make_interval(years => taken.years) from taken where m.user_id = taken.user_id`,
    [orderNo],
  )
}

export async function chooseCard(sql: Sql, userId: string, cardId: string): Promise<void> {
  await sql.query('update cards_members set chosen_card = $2 where user_id = $1', [userId, cardId])
}

/** The row is there and locked from here on: two openings of one user follow each other. */
export async function lockOpenings(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cards.openings:' || $1, 0))`, [userId])
}

export async function holderRef(sql: Sql, issuer: string, userId: string): Promise<string | undefined> {
  const row = first(await sql.query<{ holder_ref: string | null }>('select holder_ref from cards_holders where issuer = $1 and user_id = $2', [issuer, userId]))
  return row?.holder_ref ?? undefined
}

export async function keepHolder(sql: Sql, issuer: string, userId: string, ref: string): Promise<void> {
  await sql.query(
    `insert into cards_holders (issuer, user_id, holder_ref) values ($1,$2,$3)
    on conflict (issuer, user_id) do update set holder_ref = excluded.holder_ref`,
    [issuer, userId, ref],
  )
}

/** Cards that work or will: neither failed, nor ended, nor being replaced by another that counts. */
export async function countCards(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from cards_cards where user_id = $1 and replaces is null and state not in ('closing','closed')
      or user_id = $1 and replaces is not null and state in ('active','frozen')`,
    [userId],
  )
  return Number(row!.n)
}

export async function livingCards(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(`select count(*) as n from cards_cards where user_id = $1 and state <> 'closed'`, [userId])
  return Number(row!.n)
}

export async function cardOfOrder(sql: Sql, orderNo: string): Promise<string | undefined> {
  return first(await sql.query<{ id: string }>('select id from cards_cards where order_no = $1', [orderNo]))?.id
}
