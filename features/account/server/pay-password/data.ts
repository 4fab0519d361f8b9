import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { AccountPayPasswordsRow } from '../tables.ts'

/** A hash and the id of the installation's key that created it. */
export interface PayHash {
  readonly hash: string
  readonly keyId: Buffer
}
export interface PayPasswordRow extends Pick<AccountPayPasswordsRow, 'hash' | 'tries' | 'streak'> {
  /** Null for hashes older than key ids. */
  readonly keyId: Buffer | null
}

export async function findPayPassword(sql: Sql, userId: string): Promise<PayPasswordRow | undefined> {
  return first(await sql.query<PayPasswordRow>('select hash, key_id, tries, streak from account_pay_passwords where user_id = $1', [userId]))
}

/**
 * Counts an attempt before the comparison, in one guarded statement: of any number of parallel attempts at most `tries` receive a hash to
 * compare with (money.md A2). Returns undefined if no payment password is set, no attempt is left, or the hash was created with a key not
 * in `keyIds`.
 */
export async function countPayAttempt(
  sql: Sql,
  userId: string,
  { max, keyIds }: { readonly max: { tries: number; streak: number }; readonly keyIds: readonly Buffer[] },
): Promise<PayPasswordRow | undefined> {
  return first(
    await sql.query<PayPasswordRow>(
      `update account_pay_passwords set tries = tries + 1, streak = streak + 1 where user_id = $1 and tries < $2 and streak < $3 and (key_id is null or key_id = any ($4::bytea[]))
      returning hash, key_id, tries, streak`,
      [userId, max.tries, max.streak, keyIds],
    ),
  )
}

/** Resets the counters after a correct attempt, unless the hash has changed meanwhile. */
export async function resetPayAttempts(sql: Sql, userId: string, hash: string): Promise<void> {
  await sql.query('update account_pay_passwords set tries = 0, streak = 0 where user_id = $1 and hash = $2', [userId, hash])
}

/** Returns false if a payment password exists. */
export async function insertPayPassword(
  sql: Sql,
  userId: string,
  { hash: { hash, keyId }, now }: { readonly hash: PayHash; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query('insert into account_pay_passwords (user_id, hash, set_at, key_id) values ($1,$2,$3,$4) on conflict do nothing returning 1', [
    userId,
    hash,
    now,
    keyId,
  ])
  return rows.length === 1
}

/**
 * Replaces the hash but keeps the streak, because a reset must not allow more guesses. Returns false if none is set or the streak has
 * reached `maxStreak`.
 */
export async function resetPayHash(
  sql: Sql,
  userId: string,
  { hash: { hash, keyId }, now, maxStreak }: { readonly hash: PayHash; readonly now: Date; readonly maxStreak: number },
): Promise<boolean> {
  const rows = await sql.query(
    'update account_pay_passwords set hash = $2, set_at = $3, key_id = $5, tries = 0 where user_id = $1 and streak < $4 returning 1',
    [userId, hash, now, maxStreak, keyId],
  )
  return rows.length === 1
}

/** Changes the hash, unless it has changed since `old` was compared. */
export async function replacePayHash(
  sql: Sql,
  userId: string,
  { old, hash: { hash, keyId }, now }: { readonly old: string; readonly hash: PayHash; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    'update account_pay_passwords set hash = $3, set_at = $4, key_id = $5, tries = 0, streak = 0 where user_id = $1 and hash = $2 returning 1',
    [userId, old, hash, now, keyId],
  )
  return rows.length === 1
}

export async function deletePayPassword(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from account_pay_passwords where user_id = $1', [userId])
}

/** Stores the same password hashed with another key, unless it has changed meanwhile. */
export async function rekeyPayHash(
  sql: Sql,
  userId: string,
  { old, hash: { hash, keyId } }: { readonly old: string; readonly hash: PayHash },
): Promise<boolean> {
  return (
    (await sql.query('update account_pay_passwords set hash = $3, key_id = $4 where user_id = $1 and hash = $2 returning 1', [userId, old, hash, keyId]))
      .length === 1
  )
}

export function countPayHashesByKey(sql: Sql): Promise<{ key: string; rows: number }[]> {
  return sql.query(`select coalesce(encode(key_id, 'hex'), '') as key, count(*)::int as rows from account_pay_passwords group by 1`)
}

/** For customer service, after identifying the user. Returns false if none is set. */
export async function resetPayStreak(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query('update account_pay_passwords set tries = 0, streak = 0 where user_id = $1 returning 1', [userId])).length === 1
}
