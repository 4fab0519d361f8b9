import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'

export interface RateRow {
  readonly id: bigint
  readonly inviterId: string
  readonly rewardNano: bigint
  readonly validFrom: Date
  readonly validUntil: Date
  readonly reason: string
  readonly madeBy: string
  readonly madeAt: Date
  readonly state: 'planned' | 'holds' | 'over' | 'ended'
}
const RATE = `*, case when ended_at is not null then 'ended' when now() >= valid_until then 'over' when now() < valid_from then 'planned' else 'holds' end as state`

/** The rate that holds for an inviter now. */
export const selectCurrentRate = async (sql: Sql, inviterId: string) =>
  first(
    await sql.query<RateRow>(
      `select ${RATE} from invitations_rates where inviter_id = $1 and ended_at is null and now() >= valid_from and now() < valid_until`,
      [inviterId],
      'invitations.rate-of',
    ),
  )

/** All of an inviter's, the latest first. */
export const selectRates = (sql: Sql, inviterId: string) =>
  sql.query<RateRow>(`select ${RATE} from invitations_rates where inviter_id = $1 order by valid_from desc, id desc limit 50`, [inviterId])

/** Holds from `from`, or from now where that has passed. Errors: RATE_OVERLAPS. */
export async function insertRate(tx: Tx, rate: { inviterId: string; reward: bigint; from: Date; until: Date; reason: string; by: string }): Promise<void> {
  try {
    await tx.savepoint(() =>
      tx.query(
        `insert into invitations_rates (inviter_id, reward_nano, valid_from, valid_until, reason, made_by)
         values ($1, $2, greatest($3::timestamptz, now()), $4, $5, $6)`,
        [rate.inviterId, rate.reward, rate.from, rate.until, rate.reason, rate.by],
      ),
    )
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'invitations_rates_one') fail('RATE_OVERLAPS')
    throw error
  }
}

/** False where it has ended. */
export async function endRate(sql: Sql, id: bigint, by: string): Promise<boolean> {
  const rows = await sql.query(
    'update invitations_rates set ended_at = now(), ended_by = $2 where id = $1 and ended_at is null and valid_until > now() returning 1',
    [id, by],
  )
  return rows.length === 1
}
