import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { BackofficeAlarmDeliveriesRow } from '../tables.ts'

export type DeliveryRow = BackofficeAlarmDeliveriesRow

/** Inserts a delivery; true for one caller only, so each route gets an alarm once. */
export async function insertAlarmDelivery(sql: Sql, row: Pick<DeliveryRow, 'id' | 'wayId' | 'alarmId' | 'kind' | 'body' | 'createdAt'>): Promise<boolean> {
  const made = await sql.query(
    `insert into backoffice_alarm_deliveries (id, way_id, alarm_id, kind, body, state, created_at) values ($1,$2,$3,$4,$5,'waiting',$6) on conflict do nothing returning id`,
    [row.id, row.wayId, row.alarmId, row.kind, row.body, row.createdAt],
  )
  return made.length === 1
}

/** Counts an attempt and returns the delivery; undefined if nothing is left to send. */
export async function countDeliveryAttempt(sql: Sql, id: string): Promise<DeliveryRow | undefined> {
  return first(
    await sql.query<DeliveryRow>(`update backoffice_alarm_deliveries set attempts = attempts + 1 where id = $1 and state = 'waiting' returning *`, [id]),
  )
}

export async function recordAlarmDelivery(
  sql: Sql,
  id: string,
  { state, problem, at }: { readonly state: DeliveryRow['state']; readonly problem: string | null; readonly at: Date },
): Promise<void> {
  await sql.query(
    `update backoffice_alarm_deliveries set state = $2, problem = $3, ended_at = case when $2 = 'waiting' then null else $4::timestamptz end where id = $1 and state = 'waiting'`,
    [id, state, problem, at],
  )
}

/** Deliveries of these alarms as `alarm way kind`. */
export async function listNotifiedAlarmRoutes(sql: Sql, alarmIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ told: string }>(
    `select alarm_id || ' ' || way_id || ' ' || kind as told from backoffice_alarm_deliveries where alarm_id = any($1)`,
    [alarmIds],
  )
  return new Set(rows.map(({ told }) => told))
}

export function listAlarmDeliveries(sql: Sql, alarmId: string): Promise<DeliveryRow[]> {
  return sql.query<DeliveryRow>('select * from backoffice_alarm_deliveries where alarm_id = $1 order by id', [alarmId])
}

/** The newest delivery of each route. */
export function listLastAlarmDeliveries(sql: Sql, wayIds: readonly string[]): Promise<DeliveryRow[]> {
  return sql.query<DeliveryRow>(
    'select distinct on (way_id) * from backoffice_alarm_deliveries where way_id = any($1) order by way_id, created_at desc, id desc',
    [wayIds],
  )
}
