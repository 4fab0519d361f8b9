import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { GatewayAlertSettingsRow, GatewayWebhooksRow } from '../tables.ts'

export type AlertSettings = Pick<GatewayAlertSettingsRow, 'lowBalance' | 'webhookUrl' | 'webhookSecret'>
export const selectAlertSettings = async (sql: Sql, userId: string) =>
  first(await sql.query<AlertSettings>('select low_balance, webhook_url, webhook_secret from gateway_alert_settings where user_id = $1', [userId]))

/** Locks the user's row, creating it if needed, so that concurrent saves are serialized. */
export async function lockAlertSettings(sql: Sql, userId: string): Promise<AlertSettings> {
  await sql.query('insert into gateway_alert_settings (user_id) values ($1) on conflict (user_id) do nothing', [userId])
  return first(
    await sql.query<AlertSettings>('select low_balance, webhook_url, webhook_secret from gateway_alert_settings where user_id = $1 for update', [userId]),
  )!
}

export const saveAlertSettings = (sql: Sql, userId: string, next: AlertSettings) =>
  sql.query(
    `update gateway_alert_settings set low_told = low_told and low_balance is not distinct from $2, low_balance = $2, webhook_url = $3, webhook_secret = $4, updated_at = now() where user_id = $1`,
    [userId, next.lowBalance, next.webhookUrl, next.webhookSecret],
  )

export const deleteAlertSettings = (sql: Sql, userId: string) => sql.query('delete from gateway_alert_settings where user_id = $1', [userId])

export interface BalanceWatch {
  readonly userId: string
  readonly lowBalance: bigint
  readonly lowTold: boolean
}
/** Users with a low balance alert, in pages ordered by user. */
export const selectBalanceWatches = (sql: Sql, after: string, limit: number) =>
  sql.query<BalanceWatch>(
    'select user_id, low_balance, low_told from gateway_alert_settings where low_balance is not null and user_id > $1 order by user_id limit $2',
    [after, limit],
  )

/** Sets or clears the notified flag. Returns true for the one caller that changed it; only that caller sends the alert. */
export const markLowBalance = async (sql: Sql, userId: string, told: boolean) =>
  (await sql.query('update gateway_alert_settings set low_told = $2 where user_id = $1 and low_told <> $2 returning 1', [userId, told])).length === 1

export interface BudgetWatch {
  readonly keyId: string
  readonly userId: string
  readonly name: string
  readonly dayBudget: bigint | null
  readonly monthBudget: bigint | null
  readonly daySpent: bigint
  readonly monthSpent: bigint
  readonly refused: readonly string[]
  /** Thresholds alerted in these periods, such as `day 50`. */
  readonly told: readonly string[]
}
/** Keys with a budget that were used or refused in the last minutes, with their spending. */
export const selectBudgetWatches = (sql: Sql, day: string, { after, limit }: { readonly after: string; readonly limit: number }) =>
  sql.query<BudgetWatch>(
    `select k.key_id, k.user_id, k.name, k.day_budget, k.month_budget, s.day_spent, s.month_spent,
     array(select r.period from gateway_budget_refusals r where r.key_id = k.key_id and r.starts >= case r.period when 'day' then $1::date else date_trunc('month', $1::date)::date end) as refused,
     array(select a.period || ' ' || a.threshold from gateway_budget_alerts a where a.key_id = k.key_id and a.starts = case a.period when 'day' then $1::date else date_trunc('month', $1::date)::date end) as told
   from gateway_keys k cross join lateral gateway_key_spent(k.key_id, k.account_id, $1::date) s
   where k.key_id > $2 and k.deleted_at is null and (k.day_budget is not null or k.month_budget is not null)
     and (k.last_used_at > now() - interval '5 minutes' or exists (select from gateway_budget_refusals r where r.key_id = k.key_id))
   order by k.key_id limit $3`,
    [day, after, limit],
  )

/** Records a threshold as alerted. Returns true for the one caller that sends the alert. */
export const markBudgetThreshold = async (
  sql: Sql,
  keyId: string,
  { period, starts, threshold }: { readonly period: 'day' | 'month'; readonly starts: string; readonly threshold: number },
) =>
  (
    await sql.query('insert into gateway_budget_alerts (key_id, period, starts, threshold) values ($1,$2,$3,$4) on conflict do nothing returning 1', [
      keyId,
      period,
      starts,
      threshold,
    ])
  ).length === 1

export const recordBudgetRefusal = (sql: Sql, keyId: string, { period, starts }: { readonly period: 'day' | 'month'; readonly starts: string }) =>
  sql.query('insert into gateway_budget_refusals (key_id, period, starts) values ($1,$2,$3) on conflict do nothing', [keyId, period, starts])

// Webhooks

export interface WebhookRow extends Pick<GatewayWebhooksRow, 'id' | 'userId' | 'body' | 'state' | 'attempts' | 'problem' | 'createdAt'> {
  readonly event: 'balance.low' | 'key.budget' | 'test'
}
const WEBHOOK_COLUMNS = 'id, user_id, event, body, state, attempts, problem, created_at'
/**
 * Inserts a delivery and returns its state: failed if `mostWaiting` are waiting already. Undefined if it exists. Lock the user's settings
 * first.
 */
export const insertWebhook = async (sql: Sql, row: Pick<WebhookRow, 'id' | 'userId' | 'event' | 'body'>, mostWaiting: number) =>
  first(
    await sql.query<Pick<WebhookRow, 'state'>>(
      `insert into gateway_webhooks (id, user_id, event, body, state, problem, ended_at)
       select $1, $2, $3, $4, case when full_up then 'failed' else 'waiting' end, case when full_up then 'too many deliveries wait' end,
         case when full_up then now() end
       from (select count(*) >= $5 as full_up from gateway_webhooks where user_id = $2 and state = 'waiting') waiting
       on conflict (id) do nothing returning state`,
      [row.id, row.userId, row.event, row.body, mostWaiting],
    ),
  )?.state

/** Number of tests that the user has requested since that time, and the time of the oldest. */
export const countTestsSince = async (sql: Sql, userId: string, since: Date) =>
  first(
    await sql.query<{ n: bigint; oldest: Date | null }>(
      `select count(*) as n, min(created_at) as oldest from gateway_webhooks where user_id = $1 and event = 'test' and created_at > $2`,
      [userId, since],
    ),
  )!

/** Counts an attempt; returns undefined if there is nothing left to send. */
export const beginWebhookAttempt = async (sql: Sql, id: string) =>
  first(
    await sql.query<WebhookRow>(`update gateway_webhooks set attempts = attempts + 1 where id = $1 and state = 'waiting' returning ${WEBHOOK_COLUMNS}`, [id]),
  )

export const recordWebhookResult = (sql: Sql, id: string, { state, problem }: { readonly state: WebhookRow['state']; readonly problem: string | null }) =>
  sql.query(
    `update gateway_webhooks set state = $2, problem = $3, ended_at = case when $2 = 'waiting' then null else now() end where id = $1 and state = 'waiting'`,
    [id, state, problem],
  )

export const selectLatestWebhooks = (sql: Sql, userId: string, limit: number) =>
  sql.query<WebhookRow>(`select ${WEBHOOK_COLUMNS} from gateway_webhooks where user_id = $1 order by created_at desc, id desc limit $2`, [userId, limit])

/** Deletes old deliveries and alert records of past budget periods. */
export async function deleteOldAlerts(sql: Sql): Promise<void> {
  await sql.query(`delete from gateway_webhooks where created_at < now() - interval '30 days'`)
  await sql.query(`delete from gateway_budget_alerts where told_at < now() - interval '70 days'`)
  await sql.query(`delete from gateway_budget_refusals where starts < now() - interval '40 days'`)
}
