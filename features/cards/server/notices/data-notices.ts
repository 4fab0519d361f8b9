import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { CardsNoticesRow } from '../tables.ts'

export type NoticeRow = Omit<CardsNoticesRow, 'at' | 'doneAt' | 'nextCheckAt'>

/** Inserts a notice; false if it was received before. */
export async function insertCardNotice(tx: Sql, row: { issuer: string; eventId: string; kind: string; ref: string; cardRef: string }): Promise<boolean> {
  const rows = await tx.query(
    `insert into cards_notices (issuer, event_id, kind, ref, card_ref, next_check_at) values ($1,$2,$3,$4,$5, clock_timestamp() + interval '5 seconds')
    on conflict do nothing returning 1`,
    [row.issuer, row.eventId, row.kind, row.ref, row.cardRef],
    'cards.notice',
  )
  return rows.length === 1
}

export async function takeDueNotices(sql: Sql, limit: number): Promise<NoticeRow[]> {
  return sql.query<NoticeRow>(
    `update cards_notices n set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 from (
      select issuer, event_id from cards_notices where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) due
    where n.issuer = due.issuer and n.event_id = due.event_id returning n.*`,
    [limit],
  )
}

export async function completeCardNotice(sql: Sql, issuer: string, eventId: string): Promise<void> {
  await sql.query('update cards_notices set done_at = clock_timestamp(), next_check_at = null where issuer = $1 and event_id = $2 and done_at is null', [
    issuer,
    eventId,
  ])
}

export async function rescheduleCardNotice(
  sql: Sql,
  issuer: string,
  { eventId, seconds }: { readonly eventId: string; readonly seconds: number },
): Promise<void> {
  await sql.query(
    'update cards_notices set next_check_at = clock_timestamp() + make_interval(secs => $3::float8) where issuer = $1 and event_id = $2 and done_at is null',
    [issuer, eventId, seconds],
  )
}

export interface ChallengeRow {
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly last4: string
}

/** Inserts a challenge; false if it exists. */
export async function insertCardChallenge(tx: Tx, issuer: string, { ref, cardId }: { readonly ref: string; readonly cardId: string }): Promise<boolean> {
  const rows = await tx.query('insert into cards_challenges (issuer, ref, card_id) values ($1,$2,$3) on conflict do nothing returning 1', [issuer, ref, cardId])
  return rows.length === 1
}

/** Challenges of the last quarter of an hour, the longest that any of them lives. */
export const selectFreshChallenges = (sql: Sql, userId: string) =>
  sql.query<ChallengeRow>(
    `select h.issuer, h.ref, h.card_id, c.last4 from cards_challenges h join cards_cards c on c.id = h.card_id
    where c.user_id = $1 and h.at > clock_timestamp() - interval '15 minutes' order by h.at desc limit 5`,
    [userId],
  )
