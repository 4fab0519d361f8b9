import { first, type Sql } from '#platform/server/database/db.ts'

/** Carrier of an attempt whose result is unknown; null if there is none. */
export async function selectUncertainCarrier(sql: Sql, id: string): Promise<string | null> {
  return first(await sql.query<{ maybeTakenBy: string | null }>('select maybe_taken_by from notices_sms where id = $1', [id]))?.maybeTakenBy ?? null
}

/** Records the carrier before the call, so that an attempt of a killed process can be looked up. */
export async function markAttempt(sql: Sql, id: string, vendor: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = $2 where id = $1 and state = 'waiting'`, [id, vendor])
}

/** Clears the carrier after a refusal, so that the next attempt may begin at once. */
export async function clearAttempt(sql: Sql, id: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = null where id = $1 and state = 'waiting'`, [id])
}

/** Extends the lease of an attempt with an unknown result, until its carrier can be asked. */
export async function holdSms(sql: Sql, id: string, { until, problem }: { readonly until: Date; readonly problem: string }): Promise<void> {
  await sql.query(`update notices_sms set claimed_until = $2, problem = $3 where id = $1 and state = 'waiting'`, [id, until, problem])
}

/** Counts one more message in the hour of `now`; undefined if `limit` is reached, also with concurrent orders. */
export async function countSmsInHour(sql: Sql, now: Date, limit: number): Promise<number | undefined> {
  const rows = await sql.query<{ count: number }>(
    `insert into notices_sms_hours as h (hour, count) values (date_trunc('hour', $1::timestamptz), 1)
    on conflict (hour) do update set count = h.count + 1 where h.count < $2 returning count`,
    [now, limit],
  )
  return first(rows)?.count
}

export async function deleteSmsHours(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from notices_sms_hours where hour < $1', [before])
}

/** Mails and text messages share the same life cycle; each kind has its own table. */
export type NoticeMedium = 'mail' | 'sms'
const TABLES = { mail: 'notices_mails', sms: 'notices_sms' } as const
const NO_MAIL = { names: '', places: '', values: [] }
/** A repeatable mail keeps its sealed content for as long as operators may resend it. */
const CLEAR_CONTENT = { mail: 'kept = case when repeatable then content end, content = null', sms: 'content = null' } as const

export interface WaitingNotice {
  readonly id: string
  readonly recipient: string
  readonly content: Buffer
  readonly attempts: number
  readonly createdAt: Date
  readonly goodUntil: Date
}
export type NoticeEnd = 'sent' | 'refused' | 'expired'

/** Inserts a notice; false if the event already has one. */
export async function insertNotice(
  sql: Sql,
  kind: NoticeMedium,
  notice: { id: string; dedupe: string; template: string; to: string; content: Buffer; goodUntil: Date; now: Date; repeatable?: boolean; resentFrom?: string },
): Promise<boolean> {
  const mail =
    kind === 'mail' ? { names: ', repeatable, resent_from', places: ',$8,$9', values: [notice.repeatable ?? false, notice.resentFrom ?? null] } : NO_MAIL
  const rows = await sql.query(
    `insert into ${TABLES[kind]} (id, dedupe, template, recipient, content, good_until, created_at${mail.names})
    values ($1,$2,$3,$4,$5,$6,$7${mail.places}) on conflict (dedupe) do nothing returning id`,
    [notice.id, notice.dedupe, notice.template, notice.to, notice.content, notice.goodUntil, notice.now, ...mail.values],
  )
  return rows.length === 1
}

/** Claims the notice for one attempt, with a lease. */
export async function claimNotice(
  sql: Sql,
  kind: NoticeMedium,
  { id, now, until }: { readonly id: string; readonly now: Date; readonly until: Date },
): Promise<WaitingNotice | undefined> {
  return first(
    await sql.query<WaitingNotice>(
      `update ${TABLES[kind]} set attempts = attempts + 1, claimed_until = $3
    where id = $1 and state = 'waiting' and (claimed_until is null or claimed_until <= $2)
    returning id, recipient, content, attempts, created_at, good_until`,
      [id, now, until],
    ),
  )
}

export async function isWaiting(sql: Sql, kind: NoticeMedium, id: string): Promise<boolean> {
  return (await sql.query(`select 1 from ${TABLES[kind]} where id = $1 and state = 'waiting'`, [id])).length === 1
}

/** Releases the notice after a failed attempt. */
export async function releaseNotice(sql: Sql, kind: NoticeMedium, { id, problem }: { readonly id: string; readonly problem: string }): Promise<void> {
  await sql.query(`update ${TABLES[kind]} set claimed_until = null, problem = $2 where id = $1 and state = 'waiting'`, [id, problem])
}

/** Ends a notice in the given state and clears its content, or keeps it if repeatable. */
export async function endNotice(
  sql: Sql,
  kind: NoticeMedium,
  {
    id,
    state,
    vendor,
    now,
    problem,
  }: { readonly id: string; readonly state: NoticeEnd; readonly vendor: string | null; readonly now: Date; readonly problem?: string },
): Promise<void> {
  await sql.query(
    `update ${TABLES[kind]} set state = $2, vendor = $3, ended_at = $4, problem = coalesce($5, problem), ${CLEAR_CONTENT[kind]}, claimed_until = null
    where id = $1 and state = 'waiting'`,
    [id, state, vendor, now, problem ?? null],
  )
}

/**
 * Notices whose run was killed (their lease is over) or whose job was lost (never tried in a minute), oldest first: the queue itself
 * returns a killed run only after a quarter of an hour, when a code has expired.
 */
export async function selectStrandedNotices(sql: Sql, kind: NoticeMedium, now: Date): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from ${TABLES[kind]} where state = 'waiting' and good_until > $1
    and (claimed_until <= $1 or (attempts = 0 and created_at <= $1 - interval '1 minute')) order by created_at limit 20`,
    [now],
  )
  return rows.map((row) => row.id)
}

/** Ends the notices that are no longer needed and returns their number. */
export async function endOverdue(sql: Sql, kind: NoticeMedium, now: Date): Promise<number> {
  return (
    await sql.query(
      `update ${TABLES[kind]} set state = 'expired', ended_at = $1, ${CLEAR_CONTENT[kind]}, claimed_until = null
    where state = 'waiting' and good_until <= $1 and (claimed_until is null or claimed_until <= $1) returning 1`,
      [now],
    )
  ).length
}

export async function deleteEnded(sql: Sql, kind: NoticeMedium, before: Date): Promise<void> {
  await sql.query(`delete from ${TABLES[kind]} where state <> 'waiting' and ended_at < $1`, [before])
}
