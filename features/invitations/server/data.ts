import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { InvitationsCodesRow, InvitationsRulesRow } from './tables.ts'

export interface RuleRow extends Omit<InvitationsRulesRow, 'tiers' | 'actor' | 'createdAt'> {
  /** In ascending order; `reward` in dollars. */
  readonly tiers: readonly { readonly from: number; readonly reward: string }[] | null
}

/** Versions in effect so far, newest first. */
export async function selectRules(sql: Sql): Promise<RuleRow[]> {
  return sql.query<RuleRow>('select * from invitations_rules where effective_at <= now() order by effective_at desc, version desc', [], 'invitations.rules')
}

/** The latest version, in effect or not. */
export async function selectNewestRule(sql: Sql): Promise<RuleRow> {
  const rule = first(await sql.query<RuleRow>('select * from invitations_rules order by version desc limit 1'))
  if (!rule) throw new Error('the invitations have no rules')
  return rule
}

/** All versions, newest first, with their author. */
export async function selectAllRules(sql: Sql): Promise<(RuleRow & { readonly actor: string })[]> {
  return sql.query<RuleRow & { actor: string }>('select * from invitations_rules order by version desc limit 200')
}

export async function insertRule(tx: Tx, rule: Omit<RuleRow, 'version'>): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    `insert into invitations_rules (version, effective_at, reward_nano, discount_nano, threshold_nano, hold_days, keep_days, inviter_cap_nano,
      programme_cap_nano, withdraw_min_nano, tiers, second_nano, cashback_percent, actor)
    select coalesce(max(version), 0) + 1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13 from invitations_rules returning version`,
    [
      rule.effectiveAt,
      rule.rewardNano,
      rule.discountNano,
      rule.thresholdNano,
      rule.holdDays,
      rule.keepDays,
      rule.inviterCapNano,
      rule.programmeCapNano,
      rule.withdrawMinNano,
      rule.tiers && JSON.stringify(rule.tiers),
      rule.secondNano,
      rule.cashbackPercent,
      `${tx.actor.kind}:${tx.actor.id}`,
    ],
  )
  return rows[0]!.version
}

export type CodeRow = Pick<InvitationsCodesRow, 'code' | 'userId' | 'chosen'>

/** Inserts a code; false if it, or a similar-looking one, is taken, or if the user already has one of this kind. */
export async function insertCode(sql: Sql, code: string, { userId, chosen }: { readonly userId: string; readonly chosen: boolean }): Promise<boolean> {
  const rows = await sql.query('insert into invitations_codes (code, user_id, chosen) values ($1,$2,$3) on conflict do nothing returning 1', [
    code,
    userId,
    chosen,
  ])
  return rows.length === 1
}

export async function selectCodes(sql: Sql, userId: string): Promise<CodeRow[]> {
  return sql.query<CodeRow>('select code, user_id, chosen from invitations_codes where user_id = $1', [userId])
}

export async function selectCode(sql: Sql, code: string): Promise<CodeRow | undefined> {
  return first(await sql.query<CodeRow>('select code, user_id, chosen from invitations_codes where code = $1', [code]))
}

export interface RelationRow {
  readonly inviteeId: string
  readonly inviterId: string
  readonly ruleVersion: number
  readonly inCycle: boolean
  readonly createdAt: Date
  readonly ageDays: number
}

const AGE = `floor(extract(epoch from now() - created_at) / 86400)::int as age_days`

export async function selectRelation(sql: Sql, inviteeId: string): Promise<RelationRow | undefined> {
  return first(await sql.query<RelationRow>(`select *, ${AGE} from invitations_relations where invitee_id = $1`, [inviteeId]))
}

/**
 * Like `selectRelation`, and locks the invitee; takes no lock without a relation. Relations never change, so it is safe to read one before its
 * lock is held.
 */
export async function lockRelation(tx: Tx, inviteeId: string): Promise<RelationRow | undefined> {
  return first(
    await tx.query<RelationRow>(
      `select *, ${AGE}, pg_advisory_xact_lock(hashtextextended('invitations.invitee:' || invitee_id, 0)) from invitations_relations where invitee_id = $1`,
      [inviteeId],
      'invitations.lock-relation',
    ),
  )
}

/** Serializes work on one invitee until the transaction ends; `lockInviter` does so for changes of one inviter's account. */
export async function lockInvitee(tx: Tx, inviteeId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('invitations.invitee:' || $1, 0))`, [inviteeId])
}
export async function lockInviter(tx: Tx, inviterId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('invitations.inviter:' || $1, 0))`, [inviterId])
}

/** Inserts a relation; false if the user already has an inviter. Follows the chain of inviters for six steps to detect a cycle. */
export async function insertRelation(
  tx: Tx,
  relation: { inviteeId: string; inviterId: string; code: string; way: 'signup' | 'later'; ruleVersion: number },
): Promise<boolean> {
  const rows = await tx.query(
    `with recursive up (id, step) as (
      select $2::text, 1
      union all select r.inviter_id, step + 1 from up join invitations_relations r on r.invitee_id = up.id where step < 6)
    insert into invitations_relations (invitee_id, inviter_id, code, way, rule_version, in_cycle)
    values ($1, $2, $3, $4, $5, exists (select from up where id = $1)) on conflict (invitee_id) do nothing returning 1`,
    [relation.inviteeId, relation.inviterId, relation.code, relation.way, relation.ruleVersion],
  )
  return rows.length === 1
}

export interface RelationContext {
  /** The chain of inviters leads back to the invitee within six steps, with current data: a ring closes with its last member. */
  readonly inCycle: boolean
  /** Earlier invitees of the earner, the latest first. */
  readonly others: readonly string[]
  /** Number of invitees within half an hour of this one. */
  readonly brought: number
  /** Number of the earner's direct rewards, and how many were clawed back. */
  readonly paid: number
  readonly tookBack: number
}

/** Relations around an invitation for fraud checks. `earner` receives the reward; at most `limit` of its invitees are listed. */
export async function selectRelationContext(
  sql: Sql,
  { inviteeId, inviterId, earnerId, at, limit }: { inviteeId: string; inviterId: string; earnerId: string; at: Date; limit: number },
): Promise<RelationContext> {
  const rows = await sql.query<RelationContext>(
    `with recursive up (id, step) as (
      select $2::text, 1
      union all select r.inviter_id, step + 1 from up join invitations_relations r on r.invitee_id = up.id where step < 6)
    select exists (select from up where id = $1) as "inCycle",
      array(select invitee_id from invitations_relations where inviter_id = $3 and created_at < $4 and invitee_id <> $1 order by created_at desc limit $5) as others,
      (select count(*)::int from invitations_relations
        where inviter_id = $3 and created_at between $4::timestamptz - interval '30 minutes' and $4::timestamptz + interval '30 minutes') as brought,
      count(*)::int as paid, (count(*) filter (where state = 'clawed_back'))::int as "tookBack"
    from invitations_rewards where inviter_id = $3 and kind = 'direct'`,
    [inviteeId, inviterId, earnerId, at, limit],
    'invitations.around',
  )
  return rows[0]!
}
