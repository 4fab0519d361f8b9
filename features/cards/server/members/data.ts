import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardsMembersRow } from '../tables.ts'

export type Member = Pick<CardsMembersRow, 'userId' | 'until' | 'chosenCard'>

export async function selectMember(sql: Sql, userId: string): Promise<Member | undefined> {
  return first(
    await sql.query<Member>('select user_id, until, chosen_card from cards_members where user_id = $1 and left_at is null', [userId], 'cards.member'),
  )
}

/** Extends a membership from today, or from the end of the running one. */
export async function extendMember(tx: Tx, userId: string, { years, now }: { readonly years: number; readonly now: Date }): Promise<Date> {
  const [row] = await tx.query<{ until: Date }>(
    `insert into cards_members as m (user_id, until) values ($1, $3::timestamptz + make_interval(years => $2))
    on conflict (user_id) do update set until = greatest(m.until, $3) + make_interval(years => $2), left_at = null returning until`,
    [userId, years, now],
  )
  return row!.until
}

/** Adds the years of a membership order. Returns the new end of the membership. */
export async function addMembershipYears(
  tx: Tx,
  { orderNo, userId }: { orderNo: string; userId: string },
  { years, now }: { readonly years: number; readonly now: Date },
): Promise<Date> {
  await tx.query('insert into cards_memberships (order_no, user_id, years) values ($1,$2,$3)', [orderNo, userId, years])
  return extendMember(tx, userId, { years, now })
}

/** Takes back the years of an order, once. Without any years left its user is no longer a member. */
export async function revokeMembershipYears(tx: Tx, orderNo: string, now: Date): Promise<void> {
  await tx.query(
    `with taken as (update cards_memberships set undone_at = now() where order_no = $1 and undone_at is null returning user_id, years)
    update cards_members m set until = m.until - make_interval(years => taken.years),
      left_at = case when m.until - make_interval(years => taken.years) <= $2
        and not exists (select from cards_memberships o where o.user_id = m.user_id and o.order_no <> $1 and o.undone_at is null) then $2 end
      from taken where m.user_id = taken.user_id`,
    [orderNo, now],
  )
}

export async function updateChosenCard(sql: Sql, userId: string, cardId: string): Promise<void> {
  await sql.query('update cards_members set chosen_card = $2 where user_id = $1', [userId, cardId])
}

/** Current members by id, after a given one. */
export async function selectMembersAfter(sql: Sql, after: string, { now, limit }: { readonly now: Date; readonly limit: number }): Promise<string[]> {
  const rows = await sql.query<{ userId: string }>('select user_id from cards_members where until > $2 and user_id > $1 order by user_id limit $3', [
    after,
    now,
    limit,
  ])
  return rows.map((row) => row.userId)
}

/** Value of the day's free calls so far; locks the row until the transaction ends. */
export async function lockFreeDay(tx: Tx, userId: string, day: string): Promise<Nano> {
  await tx.query('insert into cards_free_days (user_id, day, given_nano) values ($1,$2,0) on conflict do nothing', [userId, day])
  const rows = await tx.query<{ givenNano: bigint }>('select given_nano from cards_free_days where user_id = $1 and day = $2 for update', [userId, day])
  return rows[0]!.givenNano
}

export async function updateFreeDay(tx: Tx, userId: string, { day, given }: { readonly day: string; readonly given: Nano }): Promise<void> {
  await tx.query('update cards_free_days set given_nano = $3, changed_at = now() where user_id = $1 and day = $2', [userId, day, given])
}

export async function selectFreeDay(sql: Sql, userId: string, day: string): Promise<Nano> {
  return first(await sql.query<{ givenNano: bigint }>('select given_nano from cards_free_days where user_id = $1 and day = $2', [userId, day]))?.givenNano ?? 0n
}
