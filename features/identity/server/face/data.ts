import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { CheckState } from '../../contract-words.ts'
import type { IdentityChecksRow } from '../tables.ts'

export interface CheckRow extends Omit<IdentityChecksRow, 'seq' | 'endedAt' | 'subject'> {
  /** `subjectOf` of the person it was started for; null if started by an older version. */
  readonly subject: Buffer | null
}

/** Inserts a check; false if this user has another open one. */
export async function insertCheck(
  sql: Sql,
  check: { id: string; userId: string; vendor: string; returnPath: string; subject: Buffer; now: Date; expiresAt: Date; nextCheckAt: Date },
): Promise<boolean> {
  const made = await sql.query(
    `insert into identity_checks (id, user_id, vendor, return_path, subject, created_at, expires_at, next_check_at) values ($1,$2,$3,$4,$5,$6,$7,$8)
    on conflict (user_id) where state = 'processing' do nothing returning id`,
    [check.id, check.userId, check.vendor, check.returnPath, check.subject, check.now, check.expiresAt, check.nextCheckAt],
  )
  return made.length === 1
}

export async function updateCheckRef(sql: Sql, id: string, { ref, url }: { readonly ref: string; readonly url: string }): Promise<void> {
  await sql.query('update identity_checks set vendor_ref = $2, url = $3 where id = $1', [id, ref, url])
}

export async function selectNewestCheck(sql: Sql, userId: string): Promise<CheckRow | undefined> {
  return first(await sql.query<CheckRow>('select * from identity_checks where user_id = $1 order by seq desc limit 1', [userId]))
}

export async function selectOwnCheck(sql: Sql, userId: string, id: string): Promise<CheckRow | undefined> {
  return first(await sql.query<CheckRow>('select * from identity_checks where id = $1 and user_id = $2', [id, userId]))
}

export async function lockCheck(sql: Sql, id: string): Promise<CheckRow | undefined> {
  return first(await sql.query<CheckRow>('select * from identity_checks where id = $1 for update', [id]))
}

/** Ends a check and clears its URL, which is useless by then and identifies the person. */
export async function endCheck(sql: Sql, id: string, { state, now }: { readonly state: Exclude<CheckState, 'processing'>; readonly now: Date }): Promise<void> {
  await sql.query(`update identity_checks set state = $2, ended_at = $3, next_check_at = null, url = '' where id = $1`, [id, state, now])
}

/** Deletes a check that never reached its vendor. */
export async function deleteCheck(sql: Sql, id: string): Promise<void> {
  await sql.query(`delete from identity_checks where id = $1 and state = 'processing' and vendor_ref is null`, [id])
}

/** Ends the user's open check unless its subject is `but`. The person's row is locked, so no other check can start. */
export async function endOpenCheck(sql: Sql, userId: string, { now, but }: { readonly now: Date; readonly but?: Buffer }): Promise<void> {
  const open = first(
    await sql.query<{ id: string }>(
      `select id from identity_checks where user_id = $1 and state = 'processing' and subject is distinct from $2::bytea for update`,
      [userId, but ?? null],
    ),
  )
  if (open) await endCheck(sql, open.id, { state: 'expired', now })
}

export async function rescheduleCheck(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.query(`update identity_checks set next_check_at = $2 where id = $1 and state = 'processing'`, [id, at])
}

export async function selectDueChecks(sql: Sql, now: Date): Promise<CheckRow[]> {
  return sql.query<CheckRow>(`select * from identity_checks where state = 'processing' and next_check_at <= $1 order by next_check_at limit 50`, [now])
}

/** Number of checks started since then, and the time of the first one. */
export async function countChecksSince(sql: Sql, userId: string, since: Date): Promise<{ count: number; oldest: Date | null }> {
  return first(
    await sql.query<{ count: number; oldest: Date | null }>(
      'select count(*)::int as count, min(created_at) as oldest from identity_checks where user_id = $1 and created_at > $2',
      [userId, since],
    ),
  )!
}
