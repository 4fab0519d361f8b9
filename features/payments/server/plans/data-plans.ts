import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Attention, AutoState } from '../../words-out.ts'

/** A user's plan as the database returns it; `now` is the clock of the database. */
export interface AutoPlanRow {
  readonly userId: string
  readonly state: AutoState
  readonly attention: Attention | null
  readonly agreementNo: string | null
  readonly thresholdNano: Nano | null
  readonly amountNano: Nano | null
  readonly dayMostNano: Nano | null
  readonly monthMostNano: Nano | null
  readonly refusals: number
  /** Null: charging is not paused. */
  readonly cool: Date | null
  readonly undoUntil: Date | null
  readonly now: Date
}

export interface AutoPlanLimits {
  readonly threshold: Nano
  readonly amount: Nano
  readonly dayMost: Nano
  readonly monthMost: Nano
}

const PLAN_COLUMNS = `user_id, state, attention, agreement_no, threshold_nano, amount_nano, day_most_nano, month_most_nano, refusals,
  case when cool_until > clock_timestamp() then cool_until end as cool, undo_until, clock_timestamp() as now`

/** Limits that the user agreed to; undefined before a first agreement. */
export function toAutoPlanLimits({ thresholdNano, amountNano, dayMostNano, monthMostNano }: AutoPlanRow): AutoPlanLimits | undefined {
  if (thresholdNano === null || amountNano === null || dayMostNano === null || monthMostNano === null) return undefined
  return { threshold: thresholdNano, amount: amountNano, dayMost: dayMostNano, monthMost: monthMostNano }
}

export const selectAutoPlan = async (sql: Sql, userId: string) =>
  first(await sql.query<AutoPlanRow>(`select ${PLAN_COLUMNS} from payments_auto_plans where user_id = $1`, [userId]))

/** Locks the user's row, creating it if missing, to serialise changes of one user's plan. */
export async function lockPlan(tx: Tx, userId: string): Promise<AutoPlanRow> {
  await tx.query('insert into payments_auto_plans (user_id) values ($1) on conflict (user_id) do nothing', [userId])
  return (await tx.query<AutoPlanRow>(`select ${PLAN_COLUMNS} from payments_auto_plans where user_id = $1 for update`, [userId]))[0]!
}

export async function savePlan(
  tx: Tx,
  userId: string,
  { agreementNo, limits }: { readonly agreementNo: string; readonly limits: AutoPlanLimits },
): Promise<void> {
  await tx.query(
    `update payments_auto_plans set state = 'signing', attention = null, undo_until = null, agreement_no = $2, threshold_nano = $3, amount_nano = $4,
    day_most_nano = $5, month_most_nano = $6, refusals = 0, cool_until = '-infinity', updated_at = now() where user_id = $1`,
    [userId, agreementNo, limits.threshold, limits.amount, limits.dayMost, limits.monthMost],
  )
}

export async function updateAutoPlanLimits(tx: Tx, userId: string, limits: AutoPlanLimits): Promise<void> {
  await tx.query(
    `update payments_auto_plans set threshold_nano = $2, amount_nano = $3, day_most_nano = $4, month_most_nano = $5, cool_until = case when refusals = 0 then '-infinity' else cool_until end,
    updated_at = now() where user_id = $1`,
    [userId, limits.threshold, limits.amount, limits.dayMost, limits.monthMost],
  )
}

/** Activates a plan and resets its count of refusals. */
export async function activatePlan(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `update payments_auto_plans set state = 'active', attention = null, undo_until = null, refusals = 0, cool_until = '-infinity', updated_at = now() where user_id = $1`,
    [userId],
  )
}

export async function stopPlan(tx: Tx, userId: string, undoMinutes: number): Promise<void> {
  await tx.query(
    `update payments_auto_plans set state = 'stopped', attention = null, undo_until = now() + make_interval(mins => $2), updated_at = now() where user_id = $1`,
    [userId, undoMinutes],
  )
}

export async function endPlan(tx: Tx, userId: string): Promise<void> {
  await tx.query(`update payments_auto_plans set state = 'off', attention = null, undo_until = null, updated_at = now() where user_id = $1`, [userId])
}

export async function warnPlan(tx: Tx, userId: string, attention: Attention): Promise<void> {
  await tx.query(`update payments_auto_plans set state = 'attention', attention = $2, undo_until = null, updated_at = now() where user_id = $1`, [
    userId,
    attention,
  ])
}

/** Counts a refusal and pauses charging for the given hours. */
export async function backOffPlan(tx: Tx, userId: string, { refusals, hours }: { readonly refusals: number; readonly hours: number }): Promise<void> {
  await tx.query(`update payments_auto_plans set refusals = $2, cool_until = now() + make_interval(hours => $3) where user_id = $1`, [userId, refusals, hours])
}

/** Records a paid charge. The channel's rule may require days until the next one. */
export async function clearRefusals(tx: Tx, userId: string, agreementNo: string): Promise<void> {
  await tx.query(
    `update payments_auto_plans p set refusals = 0, cool_until = case when a.every_days > 0 then now() + make_interval(days => a.every_days) else '-infinity'::timestamptz end
    from payments_agreements a where p.user_id = $1 and a.agreement_no = $2`,
    [userId, agreementNo],
  )
}

/** Pauses charging until the next day or month begins in Shanghai, because its ceiling was reached. */
export async function pauseUntilNextPeriod(tx: Tx, userId: string, period: Period): Promise<void> {
  await tx.query(
    `update payments_auto_plans set cool_until = (date_trunc($2, now() at time zone 'Asia/Shanghai') + ('1 ' || $2)::interval) at time zone 'Asia/Shanghai' where user_id = $1`,
    [userId, period],
  )
}

export interface WatchedPlan {
  readonly userId: string
  readonly thresholdNano: Nano
}
/** Plans that may charge now, in pages by user: on, not paused, no charge in progress. Read-only. */
export const selectWatchedPlans = (sql: Sql, after: string, limit: number) =>
  sql.query<WatchedPlan>(
    `select user_id, threshold_nano from payments_auto_plans p where state = 'active' and user_id > $1 and cool_until <= now()
    and not exists (select from payments_auto_charges c where c.user_id = p.user_id and c.state in ('announced','charging')) order by user_id limit $2`,
    [after, limit],
    'payments.watched-plans',
  )

export const selectExpiredStops = (sql: Sql, limit: number) =>
  sql.query<{ userId: string }>('select user_id from payments_auto_plans where undo_until <= now() order by undo_until limit $1', [limit])

export type Period = 'day' | 'month'

/**
 * Counts a charge against a ceiling; returns false without counting if it would exceed it. One statement checks and writes; the table's
 * constraints enforce the same.
 */
export async function reserveChargeSum(
  tx: Tx,
  userId: string,
  { period, total, most, mostCharges }: { readonly period: Period; readonly total: Nano; readonly most: Nano; readonly mostCharges: number },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into payments_auto_sums as s (user_id, period, starts, charges, most_charges, total_nano, most_nano)
    select $1, $2, date_trunc($2, now() at time zone 'Asia/Shanghai')::date, 1, $5, $3, $4 where $3::bigint <= $4::bigint
    on conflict (user_id, period, starts) do update set charges = s.charges + 1, most_charges = excluded.most_charges,
      total_nano = s.total_nano + excluded.total_nano, most_nano = excluded.most_nano
      where s.charges + 1 <= excluded.most_charges and s.total_nano + s.late_nano + excluded.total_nano <= excluded.most_nano
    returning 1 as counted`,
    [userId, period, total, most, mostCharges],
  )
  return rows.length === 1
}

interface CountedCharge {
  readonly userId: string
  readonly day: string
  readonly month: string
}
const BOTH_PERIODS_SQL = `user_id = $1 and ((period = 'day' and starts = $2::date) or (period = 'month' and starts = $3::date))`

/** Records a charge that certainly failed. It stays counted as an attempt unless it was never sent. */
export async function releaseChargeSum(
  tx: Tx,
  { userId, day, month }: CountedCharge,
  { total, tried }: { readonly total: Nano; readonly tried: boolean },
): Promise<void> {
  await tx.query(`update payments_auto_sums set total_nano = total_nano - $4, charges = charges - $5 where ${BOTH_PERIODS_SQL}`, [
    userId,
    day,
    month,
    total,
    tried ? 0 : 1,
  ])
}

/** Records money that arrived after its charge was cancelled. */
export async function countLatePayment(tx: Tx, { userId, day, month }: CountedCharge, total: Nano): Promise<void> {
  await tx.query(`update payments_auto_sums set late_nano = late_nano + $4 where ${BOTH_PERIODS_SQL}`, [userId, day, month, total])
}

/** Sums charged today and this month. */
export async function selectUsedSums(sql: Sql, userId: string): Promise<{ day: Nano; month: Nano; charges: number }> {
  const rows = await sql.query<{ period: Period; used: Nano; charges: number }>(
    `select period, total_nano + late_nano as used, charges from payments_auto_sums
    where user_id = $1 and starts = date_trunc(period, now() at time zone 'Asia/Shanghai')::date`,
    [userId],
  )
  const of = (period: Period) => rows.find((row) => row.period === period)
  return { day: of('day')?.used ?? 0n, month: of('month')?.used ?? 0n, charges: of('day')?.charges ?? 0 }
}
