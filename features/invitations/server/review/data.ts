import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { RewardRow } from '../rewards/data.ts'
import type { InvitationsSignalsRow } from '../tables.ts'

/** Closes a review; false if it was already decided. */
export async function closeReview(
  tx: Tx,
  inviterId: string,
  { decision, reason }: { readonly decision: 'release' | 'refuse'; readonly reason: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update invitations_reviews set closed_at = clock_timestamp(), decision = $2, actor = $3, reason = $4 where inviter_id = $1 and closed_at is null returning 1`,
    [inviterId, decision, `${tx.actor.kind}:${tx.actor.id}`, reason],
  )
  return rows.length === 1
}

export async function selectHeldRewards(sql: Sql, inviterId: string): Promise<RewardRow[]> {
  return sql.query<RewardRow>(`select *, month::text as month from invitations_rewards where inviter_id = $1 and state = 'held' order by id`, [inviterId])
}

export interface OpenReview {
  readonly inviterId: string
  readonly dueAt: Date
  readonly createdAt: Date
  readonly openedBy: string
  readonly rewards: number
  readonly amount: bigint
  readonly signals: readonly string[]
}

/** Open reviews, earliest due first, with their held rewards and signals; of one inviter, or of all. */
export async function selectOpenReviews(sql: Sql, inviterId: string | null = null): Promise<OpenReview[]> {
  return sql.query<OpenReview>(
    `select v.inviter_id, v.due_at, v.created_at, v.opened_by, coalesce(r.rewards, 0) as rewards, coalesce(r.amount, 0)::bigint as amount,
      coalesce(s.signals, '{}') as signals
    from invitations_reviews v
    left join lateral (select count(*)::int as rewards, sum(amount_nano) as amount from invitations_rewards where inviter_id = v.inviter_id and state = 'held') r on true
    left join lateral (select array_agg(distinct g.signal order by g.signal) as signals from invitations_signals g
      join invitations_rewards w on w.id = g.reward_id where w.inviter_id = v.inviter_id and w.state = 'held') s on true
    where v.closed_at is null and ($1::text is null or v.inviter_id = $1) order by v.due_at limit 200`,
    [inviterId],
  )
}

export interface PastReview {
  readonly createdAt: Date
  readonly closedAt: Date
  readonly openedBy: string
  readonly decision: 'release' | 'refuse'
  readonly actor: string
  readonly reason: string
}

export async function selectPastReviews(sql: Sql, inviterId: string): Promise<PastReview[]> {
  return sql.query<PastReview>(
    `select created_at, closed_at, opened_by, decision, actor, reason from invitations_reviews
    where inviter_id = $1 and closed_at is not null order by closed_at desc limit 50`,
    [inviterId],
  )
}

/** An inviter's rewards for a review: held, then pending, then the newest. */
export async function selectRewardsToReview(sql: Sql, inviterId: string, limit: number): Promise<RewardRow[]> {
  return sql.query<RewardRow>(
    `select *, month::text as month from invitations_rewards where inviter_id = $1 order by state = 'held' desc, state = 'pending' desc, id desc limit $2`,
    [inviterId, limit],
  )
}

export interface SignalRow extends Pick<InvitationsSignalsRow, 'rewardId' | 'signal' | 'weight'> {
  readonly facts: Readonly<Record<string, string | number>>
}

export async function selectSignals(sql: Sql, rewardIds: readonly bigint[]): Promise<SignalRow[]> {
  return sql.query<SignalRow>('select reward_id, signal, weight, facts from invitations_signals where reward_id = any($1) order by weight desc, signal', [
    rewardIds,
  ])
}

/** Invitees of the inviter, newest first, paid or not. */
export async function selectInvitees(sql: Sql, inviterId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ inviteeId: string }>(
    'select invitee_id from invitations_relations where inviter_id = $1 order by created_at desc, invitee_id limit $2',
    [inviterId, limit],
  )
  return rows.map((row) => row.inviteeId)
}

export async function selectPendingRewards(sql: Sql, inviterId: string): Promise<RewardRow[]> {
  return sql.query<RewardRow>(`select *, month::text as month from invitations_rewards where inviter_id = $1 and state = 'pending' order by id`, [inviterId])
}

/** Reward totals of an inviter by state, for operators. */
export async function selectRewardTotals(sql: Sql, inviterId: string) {
  const rows = await sql.query<{ heldCount: number; heldNano: bigint; pendingCount: number; pendingNano: bigint; refusedCount: number }>(
    `select (count(*) filter (where state = 'held'))::int as held_count, coalesce(sum(amount_nano) filter (where state = 'held'), 0)::bigint as held_nano,
      (count(*) filter (where state = 'pending'))::int as pending_count, coalesce(sum(amount_nano) filter (where state = 'pending'), 0)::bigint as pending_nano,
      (count(*) filter (where state = 'refused'))::int as refused_count
    from invitations_rewards where inviter_id = $1`,
    [inviterId],
  )
  return rows[0]!
}
