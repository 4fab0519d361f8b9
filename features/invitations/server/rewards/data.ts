import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { RewardKind, RewardReason, RewardState } from '../../words.ts'
import type { InvitationsReviewsRow } from '../tables.ts'

export interface RewardRow {
  readonly id: bigint
  readonly kind: RewardKind
  readonly inviterId: string
  readonly inviteeId: string
  readonly orderNo: string
  readonly baseNano: bigint
  readonly ruleVersion: number
  readonly rate: string
  readonly amountNano: bigint
  readonly state: RewardState
  readonly reason: RewardReason
  readonly score: number
  readonly restored: boolean
  readonly month: string
  readonly availableAt: Date
  readonly createdAt: Date
  readonly changedAt: Date
}

export interface NewReward {
  readonly kind: RewardKind
  readonly inviterId: string
  readonly inviteeId: string
  readonly orderNo: string
  readonly base: bigint
  readonly ruleVersion: number
  readonly rate: string
  readonly amount: bigint
  readonly state: 'pending' | 'refused'
  readonly reason: RewardReason
  readonly holdDays: number
}

const COLUMNS = `*, month::text as month`

/** Inserts a reward; undefined if the invitee already caused one of this kind. */
export async function insertReward(tx: Tx, reward: NewReward): Promise<RewardRow | undefined> {
  return first(
    await tx.query<RewardRow>(
      `insert into invitations_rewards (kind, inviter_id, invitee_id, order_no, base_nano, rule_version, rate, amount_nano, state, reason, month, available_at)
      values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10, date_trunc('month', now() at time zone 'Asia/Shanghai'), now() + make_interval(days => $11))
      on conflict (invitee_id, kind) do nothing returning ${COLUMNS}`,
      [
        reward.kind,
        reward.inviterId,
        reward.inviteeId,
        reward.orderNo,
        reward.base,
        reward.ruleVersion,
        reward.rate,
        reward.amount,
        reward.state,
        reward.reason,
        reward.holdDays,
      ],
    ),
  )
}

export async function selectRewardsByInvitee(sql: Sql, inviteeId: string): Promise<RewardRow[]> {
  return sql.query<RewardRow>(`select ${COLUMNS} from invitations_rewards where invitee_id = $1 order by inviter_id, id`, [inviteeId])
}

/** Moves a reward to a new state from the one that was read; undefined if another process moved it first. */
export async function moveReward(
  tx: Tx,
  reward: Pick<RewardRow, 'id' | 'state'>,
  { to, more = {} }: { readonly to: RewardState; readonly more?: { reason?: RewardReason; score?: number; restored?: true; waitDays?: number } },
): Promise<RewardRow | undefined> {
  return first(
    await tx.query<RewardRow>(
      `update invitations_rewards set state = $3, reason = $4, score = coalesce($5, score), restored = restored or $6,
        available_at = greatest(available_at, now() + make_interval(days => $7))
      where id = $1 and state = $2 returning ${COLUMNS}`,
      [reward.id, reward.state, to, more.reason ?? '', more.score ?? null, more.restored ?? false, more.waitDays ?? null],
    ),
  )
}

/** Pending rewards whose waiting period is over. */
export async function selectDueRewards(sql: Sql, limit: number): Promise<{ id: bigint; inviteeId: string }[]> {
  return sql.query(`select id, invitee_id from invitations_rewards where state = 'pending' and available_at <= now() order by available_at limit $1`, [limit])
}

/** Takes an amount from the budget of one scope and month; false if that would exceed its cap. */
export async function takeBudget(tx: Tx, scope: string, { amount, cap }: { readonly amount: bigint; readonly cap: bigint }): Promise<boolean> {
  const rows = await tx.query(
    `insert into invitations_budgets as kept (scope, month, cap_nano, used_nano)
    select $1, date_trunc('month', now() at time zone 'Asia/Shanghai'), $3::bigint, $2::bigint where $2::bigint <= $3::bigint
    on conflict (scope, month) do update set used_nano = kept.used_nano + excluded.used_nano, cap_nano = greatest(kept.cap_nano, excluded.cap_nano)
      where kept.used_nano + excluded.used_nano <= excluded.cap_nano returning 1`,
    [scope, amount, cap],
  )
  return rows.length === 1
}

/** Returns the budget of a reward that was not paid. */
export async function returnBudget(tx: Tx, scope: string, { month, amount }: { readonly month: string; readonly amount: bigint }): Promise<void> {
  await tx.query('update invitations_budgets set used_nano = used_nano - $3 where scope = $1 and month = $2::date', [scope, month, amount])
}

/** Takes returned budget again; raises the cap if needed, because a granted reward is kept. */
export async function retakeBudget(tx: Tx, scope: string, { month, amount }: { readonly month: string; readonly amount: bigint }): Promise<void> {
  await tx.query(
    'update invitations_budgets set used_nano = used_nano + $3, cap_nano = greatest(cap_nano, used_nano + $3) where scope = $1 and month = $2::date',
    [scope, month, amount],
  )
}

/** Inserts an entry of the reward account; false if it exists. */
export async function insertEntry(
  tx: Tx,
  entry: { rewardId: bigint; userId: string; kind: 'earned' | 'clawed_back' | 'restored'; round: 0 | 1; amount: bigint },
): Promise<boolean> {
  const rows = await tx.query(
    'insert into invitations_entries (reward_id, user_id, kind, round, amount_nano) values ($1,$2,$3,$4,$5) on conflict do nothing returning 1',
    [entry.rewardId, entry.userId, entry.kind, entry.round, entry.amount],
  )
  return rows.length === 1
}

/** Entries of a reward, and which of them a payout took. */
export async function selectRewardEntries(sql: Sql, rewardId: bigint): Promise<{ kind: 'earned' | 'clawed_back' | 'restored'; taken: boolean }[]> {
  return sql.query('select kind, payout_id is not null as taken from invitations_entries where reward_id = $1 order by id', [rewardId])
}

/** Number of direct rewards that count towards the tiers of the quarter, in Shanghai time. */
export async function countQuarter(sql: Sql, inviterId: string): Promise<number> {
  const rows = await sql.query<{ n: number }>(
    `select count(*)::int as n from invitations_rewards where inviter_id = $1 and kind = 'direct' and state not in ('refused', 'clawed_back')
      and created_at >= date_trunc('quarter', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
    [inviterId],
  )
  return rows[0]!.n
}

export async function insertSignals(tx: Tx, rewardId: bigint, signals: readonly { signal: string; weight: number; facts: object }[]): Promise<void> {
  if (!signals.length) return
  await tx.query(
    `insert into invitations_signals (reward_id, signal, weight, facts)
    select $1, s.signal, s.weight, s.facts::jsonb from unnest($2::text[], $3::int[], $4::text[]) as s (signal, weight, facts) on conflict do nothing`,
    [rewardId, signals.map(({ signal }) => signal), signals.map(({ weight }) => weight), signals.map(({ facts }) => JSON.stringify(facts))],
    'invitations.signals',
  )
}

export type ReviewRow = Pick<InvitationsReviewsRow, 'id' | 'inviterId' | 'dueAt' | 'createdAt'>

export async function selectOpenReview(sql: Sql, inviterId: string): Promise<ReviewRow | undefined> {
  return first(
    await sql.query<ReviewRow>('select id, inviter_id, due_at, created_at from invitations_reviews where inviter_id = $1 and closed_at is null', [inviterId]),
  )
}

/** Opens a review of an inviter; false while one is open. */
export async function insertReview(
  tx: Tx,
  inviterId: string,
  { dueAt, openedBy = 'system:signals' }: { readonly dueAt: Date; readonly openedBy?: string },
): Promise<boolean> {
  const rows = await tx.query('insert into invitations_reviews (inviter_id, due_at, opened_by) values ($1,$2,$3) on conflict do nothing returning 1', [
    inviterId,
    dueAt,
    openedBy,
  ])
  return rows.length === 1
}

/** First day of the current budget month. */
export async function selectBudgetMonth(sql: Sql): Promise<string> {
  return (await sql.query<{ month: string }>(`select date_trunc('month', now() at time zone 'Asia/Shanghai')::date::text as month`))[0]!.month
}

/** For builders and tests: ends the waiting period of pending rewards. */
export async function endWaitingPeriods(sql: Sql, inviteeIds?: readonly string[]): Promise<void> {
  await sql.query(
    `update invitations_rewards set available_at = now() - interval '1 second' where state = 'pending' and ($1::text[] is null or invitee_id = any ($1))`,
    [inviteeIds ?? null],
  )
}
