import type { Sql } from '#platform/server/database/db.ts'
import { STATES_BY_FILTER } from '../../words.ts'
import type { RewardListFilter, RewardKind } from '../../words.ts'
import type { RewardRow } from './data.ts'

export interface RewardListQuery {
  readonly filter: RewardListFilter
  readonly kind?: RewardKind
  /** Only rewards whose rate was raised by a tier. */
  readonly tiered?: boolean
  readonly cursor?: string | undefined
  readonly limit: number
}

const MINE = `inviter_id = $1 and ($2::text is null or kind = $2) and (not $3 or rate like 'tier %')`

/** Rewards, newest first. */
export async function listRewards(sql: Sql, inviterId: string, wish: RewardListQuery): Promise<RewardRow[]> {
  return sql.query<RewardRow>(
    `select *, month::text as month from invitations_rewards where ${MINE} and state = any ($4) and ($5::bigint is null or id < $5) order by id desc limit $6`,
    [inviterId, wish.kind ?? null, wish.tiered ?? false, STATES_BY_FILTER[wish.filter], wish.cursor ?? null, wish.limit],
  )
}

/** Number of rewards per filter. */
export async function countRewards(sql: Sql, inviterId: string, wish: Pick<RewardListQuery, 'kind' | 'tiered'>): Promise<Record<RewardListFilter, number>> {
  const rows = await sql.query<Record<RewardListFilter, number>>(
    `select count(*)::int as "all", (count(*) filter (where state = any ($4)))::int as pending, (count(*) filter (where state = any ($5)))::int as available,
      (count(*) filter (where state = any ($6)))::int as other from invitations_rewards where ${MINE}`,
    [inviterId, wish.kind ?? null, wish.tiered ?? false, STATES_BY_FILTER.pending, STATES_BY_FILTER.available, STATES_BY_FILTER.other],
  )
  return rows[0]!
}

export interface InvitationSums {
  readonly people: number
  readonly secondPeople: number
  readonly qualified: number
  readonly earned: bigint
  readonly direct: bigint
  readonly second: bigint
  readonly pending: bigint
  readonly pendingCount: number
  readonly heldCount: number
  readonly backCount: number
  readonly firstAvailable: Date | null
  /** Sum of the reward account's entries without a payout. */
  readonly available: bigint
}

/** All figures of a user, from one snapshot. */
export async function selectInvitationSums(sql: Sql, inviterId: string): Promise<InvitationSums> {
  const rows = await sql.query<InvitationSums>(
    `select (select count(*)::int from invitations_relations where inviter_id = $1) as people,
      (select count(*)::int from invitations_relations a join invitations_relations b on b.inviter_id = a.invitee_id where a.inviter_id = $1) as second_people,
      (select coalesce(sum(amount_nano), 0)::bigint from invitations_entries where user_id = $1 and payout_id is null) as available, r.*
    from (select (count(*) filter (where kind = 'direct' and state <> 'refused'))::int as qualified,
        coalesce(sum(amount_nano) filter (where state not in ('refused', 'clawed_back')), 0)::bigint as earned,
        coalesce(sum(amount_nano) filter (where state not in ('refused', 'clawed_back') and kind = 'direct'), 0)::bigint as direct,
        coalesce(sum(amount_nano) filter (where state not in ('refused', 'clawed_back') and kind = 'second'), 0)::bigint as second,
        coalesce(sum(amount_nano) filter (where state in ('pending', 'held')), 0)::bigint as pending,
        (count(*) filter (where state = 'pending'))::int as pending_count, (count(*) filter (where state = 'held'))::int as held_count,
        (count(*) filter (where state = 'clawed_back'))::int as back_count, min(available_at) filter (where state = 'pending') as first_available
      from invitations_rewards where inviter_id = $1) r`,
    [inviterId],
  )
  return rows[0]!
}

/** Used budget of the current month by scope; scopes without any use are missing. */
export async function selectUsedBudgets(sql: Sql, scopes: readonly string[]): Promise<{ scope: string; used: bigint }[]> {
  return sql.query(
    `select scope, used_nano as used from invitations_budgets where scope = any ($1) and month = date_trunc('month', now() at time zone 'Asia/Shanghai')::date`,
    [scopes],
  )
}
