import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { RewardRow } from '../rewards/data.ts'

export interface ReviewRow {
  readonly id: bigint
  readonly inviter_id: string
  readonly due_at: Date
  readonly created_at: Date
}

export async function openReview(sql: Sql, inviterId: string): Promise<ReviewRow | undefined> {
  return first(
    await sql.query<ReviewRow>('select id, inviter_id, due_at, created_at from invitations_reviews where inviter_id = $1 and closed_at is null', [inviterId]),
  )
}

/** One at a time. */
export async function insertReview(tx: Tx, inviterId: string, dueAt: Date): Promise<boolean> {
  const rows = await tx.query('insert into invitations_reviews (inviter_id, due_at) values ($1,$2) on conflict do nothing returning 1', [inviterId, dueAt])
  return rows.length === 1
}

/** False when it was decided already. */
export async function closeReview(tx: Tx, inviterId: string, decision: 'release' | 'refuse', reason: string): Promise<boolean> {
  const rows = await tx.query(
    `update invitations_reviews set closed_at = clock_timestamp(), decision = $2, actor = $3, reason = $4 where inviter_id = $1 and closed_at is null returning 1`,
    [inviterId, decision, `${tx.actor.kind}:${tx.actor.id}`, reason],
  )
  return rows.length === 1
}

export async function heldOf(sql: Sql, inviterId: string): Promise<RewardRow[]> {
  return sql.query<RewardRow>(`select *, month::text as month from invitations_rewards where inviter_id = $1 and state = 'held' order by id`, [inviterId])
}

/** Open reviews, the one due first, with what waits and what speaks against it. */
export async function openReviews(sql: Sql): Promise<{ inviter_id: string; due_at: Date; rewards: number; amount: bigint; signals: string }[]> {
  return sql.query(
    `select v.inviter_id, v.due_at, coalesce(r.rewards, 0) as rewards, coalesce(r.amount, 0)::bigint as amount, coalesce(s.signals, '') as signals
    from invitations_reviews v
    left join lateral (select count(*)::int as rewards, sum(amount_nano) as amount from invitations_rewards where inviter_id = v.inviter_id and state = 'held') r on true
    left join lateral (select string_agg(distinct g.signal, ' ' order by g.signal) as signals from invitations_signals g
      join invitations_rewards w on w.id = g.reward_id where w.inviter_id = v.inviter_id and w.state = 'held') s on true
    where v.closed_at is null order by v.due_at limit 200`,
  )
}
