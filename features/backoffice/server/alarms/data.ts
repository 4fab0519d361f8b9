import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { AlarmSeverity, AlarmRouteKind } from '../../alarms.ts'
import type { BackofficeAlarmWaysRow, BackofficeAlarmsRow } from '../tables.ts'

export type AlarmRow = BackofficeAlarmsRow

/** Lets one process at a time check and notify; false if another process holds the lock. */
export async function lockWatch(sql: Sql): Promise<boolean> {
  return (await sql.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(hashtext('backoffice.alarms')) as mine`))[0]!.mine
}

export interface RaisedAlarm {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly severity: AlarmSeverity
  readonly detail: string
  readonly source: AlarmRow['source']
  readonly times: number
  readonly at: Date
}

/** Inserts an alarm or updates the open one. Finding a lasting state again does not increase its count. */
export async function upsertAlarm(sql: Sql, raised: RaisedAlarm): Promise<void> {
  await sql.query(
    `insert into backoffice_alarms as a (id, name, key, severity, detail, source, raised_at, last_at, times) values ($1,$2,$3,$4,$5,$6,$7,$7,$8)
     on conflict (name, key) where closed_at is null do update set detail = excluded.detail, severity = excluded.severity, last_at = excluded.last_at,
       times = a.times + case when a.source = 'event' then excluded.times else 0 end`,
    [raised.id, raised.name, raised.key, raised.severity, raised.detail, raised.source, raised.at, raised.times],
  )
}

/** Closes an open alarm of lower severity; the more severe one that replaces it notifies all routes again and is not taken. */
export async function closeLesserAlarm(sql: Sql, { name, key, severity, at }: Pick<RaisedAlarm, 'name' | 'key' | 'severity' | 'at'>): Promise<void> {
  await sql.query(
    `update backoffice_alarms set closed_at = $4 where name = $1 and key = $2 and closed_at is null
      and array_position(array['minor','serious','critical'], severity) < array_position(array['minor','serious','critical'], $3)`,
    [name, key, severity, at],
  )
}

/** Closes alarms that an operator took before `before`, or whose operator is no longer active. */
export function closeTakenAlarms(sql: Sql, before: Date, at: Date): Promise<AlarmRow[]> {
  return sql.query<AlarmRow>(
    `update backoffice_alarms a set closed_at = $2 from backoffice_operators o
      where o.id = a.taken_by and a.closed_at is null and (a.taken_at < $1 or o.status <> 'active') returning a.*`,
    [before, at],
  )
}

/** Closes state alarms that the check at `at` no longer found. */
export async function closeStateAlarms(sql: Sql, at: Date): Promise<void> {
  await sql.query(`update backoffice_alarms set closed_at = $1 where closed_at is null and source = 'state' and last_at < $1`, [at])
}

export async function closeQuietEventAlarms(sql: Sql, before: Date, at: Date): Promise<void> {
  await sql.query(`update backoffice_alarms set closed_at = $2 where closed_at is null and source = 'event' and last_at < $1`, [before, at])
}

export function listOpenAlarms(sql: Sql): Promise<AlarmRow[]> {
  return sql.query<AlarmRow>(
    `select * from backoffice_alarms where closed_at is null order by array_position(array['critical','serious','minor'], severity), raised_at, id limit 200`,
  )
}

export function listPastAlarms(sql: Sql, after: string | undefined, limit: number): Promise<AlarmRow[]> {
  return sql.query<AlarmRow>('select * from backoffice_alarms where closed_at is not null and ($1::text is null or id < $1) order by id desc limit $2', [
    after ?? null,
    limit,
  ])
}

export async function findAlarm(sql: Sql, id: string): Promise<AlarmRow | undefined> {
  return first(await sql.query<AlarmRow>('select * from backoffice_alarms where id = $1', [id]))
}

export async function takeAlarm(sql: Sql, id: string, { operatorId, at }: { readonly operatorId: string; readonly at: Date }): Promise<boolean> {
  return (
    (
      await sql.query('update backoffice_alarms set taken_by = $2, taken_at = $3 where id = $1 and closed_at is null and taken_by is null returning id', [
        id,
        operatorId,
        at,
      ])
    ).length === 1
  )
}

/** The last closed alarm of each name since then, unless it is open again; only these may send an all-clear. */
export function listAlarmsClosedSince(sql: Sql, since: Date): Promise<AlarmRow[]> {
  return sql.query<AlarmRow>(
    `select * from backoffice_alarms a where closed_at > $1
      and not exists (select from backoffice_alarms o where o.name = a.name and o.key = a.key and (o.closed_at is null or o.raised_at > a.raised_at)) order by id`,
    [since],
  )
}

export async function deleteOldAlarms(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from backoffice_alarm_deliveries where created_at < $1', [before])
  await sql.query('delete from backoffice_alarms a where a.closed_at < $1 and not exists (select from backoffice_alarm_deliveries d where d.alarm_id = a.id)', [
    before,
  ])
}

export type AlarmRouteRow = Omit<BackofficeAlarmWaysRow, 'madeBy'>
/** A notification route with its operator; routes of suspended operators are not used. */
export interface ActiveAlarmRoute extends AlarmRouteRow {
  readonly operatorName: string
  readonly operatorMail: string
}
const ROUTE_WITH_OPERATOR = `select w.*, o.name as operator_name, o.mail as operator_mail from backoffice_alarm_ways w join backoffice_operators o on o.id = w.operator_id`

export function listActiveRoutes(sql: Sql): Promise<ActiveAlarmRoute[]> {
  return sql.query<ActiveAlarmRoute>(`${ROUTE_WITH_OPERATOR} where w.ended_at is null and o.status = 'active' order by o.name, w.kind, w.id`)
}

export async function findAlarmRoute(sql: Sql, id: string): Promise<ActiveAlarmRoute | undefined> {
  return first(await sql.query<ActiveAlarmRoute>(`${ROUTE_WITH_OPERATOR} where w.id = $1`, [id]))
}

export async function findAlarmRouteTo(
  sql: Sql,
  operatorId: string,
  { kind, address }: { readonly kind: AlarmRouteKind; readonly address: string },
): Promise<AlarmRouteRow | undefined> {
  return first(
    await sql.query<AlarmRouteRow>(
      'select * from backoffice_alarm_ways where operator_id = $1 and kind = $2 and address = $3 and ended_at is null for update',
      [operatorId, kind, address],
    ),
  )
}

export async function insertAlarmRoute(sql: Sql, row: Omit<AlarmRouteRow, 'endedAt'> & { readonly madeBy: string }): Promise<void> {
  await sql.query(
    `insert into backoffice_alarm_ways (id, operator_id, kind, address, severity, wait_minutes, quiet_from, quiet_to, secret_sealed, made_by, made_at)
     values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)`,
    [row.id, row.operatorId, row.kind, row.address, row.severity, row.waitMinutes, row.quietFrom, row.quietTo, row.secretSealed, row.madeBy, row.madeAt],
  )
}

export async function updateAlarmRoute(sql: Sql, id: string, row: Pick<AlarmRouteRow, 'severity' | 'waitMinutes' | 'quietFrom' | 'quietTo'>): Promise<void> {
  await sql.query('update backoffice_alarm_ways set severity = $2, wait_minutes = $3, quiet_from = $4, quiet_to = $5 where id = $1', [
    ...[id, row.severity, row.waitMinutes, row.quietFrom, row.quietTo],
  ])
}

export async function endAlarmRoute(sql: Sql, id: string, at: Date): Promise<boolean> {
  return (await sql.query('update backoffice_alarm_ways set ended_at = $2 where id = $1 and ended_at is null returning id', [id, at])).length === 1
}
