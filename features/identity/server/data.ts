import { toColumnName } from '#platform/server/database/column-names.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { IdentityMethod } from '../contract-words.ts'
import type { IdentityPeopleRow } from './tables.ts'

export type PersonRow = Omit<IdentityPeopleRow, 'taxpayerAt' | 'updatedAt'>

export async function selectPerson(sql: Sql, userId: string): Promise<PersonRow | undefined> {
  return first(await sql.query<PersonRow>('select * from identity_people where user_id = $1', [userId], 'identity.person'))
}

/** Locks the person's row until the transaction ends, which serializes the user's steps. */
export async function lockPerson(sql: Sql, userId: string): Promise<PersonRow | undefined> {
  return first(await sql.query<PersonRow>('select * from identity_people where user_id = $1 for update', [userId]))
}

/** Inserts a row, or sets a new key on one whose data was deleted. */
export async function ensurePerson(sql: Sql, userId: string, { sealedKey, now }: { readonly sealedKey: Buffer; readonly now: Date }): Promise<void> {
  await sql.query(
    `insert into identity_people (user_id, sealed_key, created_at, updated_at) values ($1,$2,$3,$3)
    on conflict (user_id) do update set sealed_key = excluded.sealed_key, updated_at = excluded.updated_at where identity_people.sealed_key is null`,
    [userId, sealedKey, now],
  )
}

export async function selectSealedKey(sql: Sql, userId: string): Promise<Buffer | undefined> {
  const row = first(await sql.query<{ sealedKey: Buffer | null }>('select sealed_key from identity_people where user_id = $1', [userId]))
  return row?.sealedKey ?? undefined
}

type Column =
  | 'status'
  | 'reason'
  | 'noticeReadAt'
  | 'taxpayer'
  | 'taxpayerAt'
  | 'method'
  | 'paper'
  | 'sealedDraft'
  | 'sealedPerson'
  | 'savedAt'
  | 'facePassedAt'
  | 'paidAt'

/** Updates columns of a row that the caller has locked. Column names come from the type, never from input. */
export async function updatePerson(
  sql: Sql,
  userId: string,
  { now, values }: { readonly now: Date; readonly values: Partial<Record<Column, unknown>> },
): Promise<void> {
  const names = Object.keys(values)
  const sets = names.map((name, at) => `${toColumnName(name)} = $${at + 3}`)
  await sql.query(`update identity_people set updated_at = $2, ${sets.join(', ')} where user_id = $1`, [userId, now, ...Object.values(values)])
}

/** Claims the number for the user; returns the user who holds it: the caller if it was free. */
export async function claimNumber(
  sql: Sql,
  userId: string,
  { digests, keyId }: { readonly digests: readonly Buffer[]; readonly keyId: Buffer },
): Promise<string> {
  await sql.query('delete from identity_numbers where user_id = $1', [userId])
  const held = first(await sql.query<{ userId: string }>('select user_id from identity_numbers where digest = any($1)', [digests]))
  if (held) return held.userId
  const mine = await sql.query('insert into identity_numbers (digest, key_id, user_id) values ($1,$2,$3) on conflict (digest) do nothing returning user_id', [
    digests[0],
    keyId,
    userId,
  ])
  if (mine.length) return userId
  return first(await sql.query<{ userId: string }>('select user_id from identity_numbers where digest = $1', [digests[0]]))?.userId ?? ''
}

export async function countNumbersByKey(sql: Sql) {
  return sql.query<{ key: string; rows: number }>(`select encode(key_id, 'hex') as key, count(*)::int as rows from identity_numbers group by 1`)
}

export async function insertSave(sql: Sql, userId: string, { method, now }: { readonly method: IdentityMethod; readonly now: Date }): Promise<void> {
  await sql.query('insert into identity_saves (user_id, method, saved_at) values ($1,$2,$3)', [userId, method, now])
}

/** Number of saves since then, and the time of the first one. */
export async function countSavesSince(sql: Sql, userId: string, since: Date): Promise<{ count: number; oldest: Date | null }> {
  return first(
    await sql.query<{ count: number; oldest: Date | null }>(
      'select count(*)::int as count, min(saved_at) as oldest from identity_saves where user_id = $1 and saved_at > $2',
      [userId, since],
    ),
  )!
}

/** Erases a person's data but keeps the row: the key is deleted, and with it everything it sealed. */
export async function erasePerson(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.query('delete from identity_numbers where user_id = $1', [userId])
  await sql.query('update identity_files set sealed_reading = null where user_id = $1', [userId])
  await sql.query(
    `update identity_people set sealed_key = null, sealed_draft = null, sealed_person = null, updated_at = $2,
    status = case when status = 'passed' then 'saved' else status end where user_id = $1`,
    [userId, now],
  )
}
