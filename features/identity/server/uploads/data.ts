import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import { UNSPECIFIED_PURPOSE } from '../../contract-words.ts'
import type { UploadPurpose } from '../../contract-words.ts'
import type { IdentityFilesRow } from '../tables.ts'

export type FileRow = Omit<IdentityFilesRow, 'keptAt'>

export async function insertFile(
  sql: Sql,
  file: { id: string; userId: string; purpose: FileRow['purpose']; type: string; bytes: number; now: Date; expiresAt: Date },
): Promise<void> {
  await sql.query('insert into identity_files (id, user_id, purpose, type, bytes, created_at, expires_at) values ($1,$2,$3,$4,$5,$6,$7)', [
    file.id,
    file.userId,
    file.purpose,
    file.type,
    file.bytes,
    file.now,
    file.expiresAt,
  ])
}

export async function countUploadsSince(sql: Sql, userId: string, since: Date): Promise<number> {
  return (await sql.query<{ count: number }>('select count(*)::int as count from identity_files where user_id = $1 and created_at > $2', [userId, since]))[0]!
    .count
}

/** Selects a user's own file; the id of another user's file finds nothing. */
export async function selectOwnFile(sql: Sql, userId: string, id: string): Promise<FileRow | undefined> {
  return first(await sql.query<FileRow>('select * from identity_files where id = $1 and user_id = $2', [id, userId]))
}

export async function selectFileById(sql: Sql, id: string): Promise<FileRow | undefined> {
  return first(await sql.query<FileRow>('select * from identity_files where id = $1', [id]))
}

export async function lockFile(sql: Sql, id: string): Promise<FileRow | undefined> {
  return first(await sql.query<FileRow>('select * from identity_files where id = $1 for update', [id]))
}

export async function markFileStored(
  sql: Sql,
  id: string,
  { size, now }: { readonly size: { width: number; height: number }; readonly now: Date },
): Promise<void> {
  await sql.query(`update identity_files set state = 'kept', width = $2, height = $3, kept_at = $4 where id = $1 and state in ('expected','kept')`, [
    id,
    size.width,
    size.height,
    now,
  ])
}

export async function closeFile(sql: Sql, id: string, state: 'refused' | 'gone'): Promise<void> {
  await sql.query('update identity_files set state = $2, sealed_reading = null where id = $1', [id, state])
}

/** Counts a reading before it begins; false if the picture was read often enough. */
export async function countReadAttempt(sql: Sql, id: string, most: number): Promise<boolean> {
  return (await sql.query('update identity_files set reads = reads + 1 where id = $1 and reads < $2 returning id', [id, most])).length === 1
}

/** Takes back the count of a reading that never began. */
export async function uncountReadAttempt(sql: Sql, id: string): Promise<void> {
  await sql.query('update identity_files set reads = reads - 1 where id = $1 and reads > 0', [id])
}

/** Stores a reading and sets the picture's purpose to the kind of paper that was read. */
export async function storeReading(sql: Sql, id: string, { sealed, purpose }: { readonly sealed: Buffer; readonly purpose: UploadPurpose }): Promise<void> {
  await sql.query(
    `update identity_files set sealed_reading = $2, purpose = $3 where id = $1 and state = 'kept' and purpose in ('${UNSPECIFIED_PURPOSE}', $3)`,
    [id, sealed, purpose],
  )
}

export async function selectStoredFiles(sql: Sql, userId: string, ids: readonly string[]): Promise<FileRow[]> {
  return sql.query<FileRow>(`select * from identity_files where user_id = $1 and state = 'kept' and id = any($2)`, [userId, ids])
}

export async function hasStoredFile(sql: Sql, userId: string, purpose: UploadPurpose): Promise<boolean> {
  return (await sql.query(`select 1 from identity_files where user_id = $1 and state = 'kept' and purpose = $2 limit 1`, [userId, purpose])).length > 0
}

/** The newest stored picture of each purpose. */
export async function selectNewestFiles(sql: Sql, userId: string): Promise<(FileRow & { readonly purpose: UploadPurpose })[]> {
  return sql.query<FileRow & { readonly purpose: UploadPurpose }>(
    `select distinct on (purpose) * from identity_files where user_id = $1 and state = 'kept' and purpose <> '${UNSPECIFIED_PURPOSE}' order by purpose, created_at desc`,
    [userId],
  )
}

export async function selectUserFiles(sql: Sql, userId: string): Promise<FileRow[]> {
  return sql.query<FileRow>(`select * from identity_files where user_id = $1 and state in ('expected','kept') order by created_at`, [userId])
}

/** Uploads that were never completed, and pictures past their retention. */
export async function selectFilesToDelete(sql: Sql, expiredBefore: Date, keptBefore: Date): Promise<FileRow[]> {
  return sql.query<FileRow>(
    `select * from identity_files where (state = 'expected' and expires_at < $1) or (state = 'kept' and kept_at < $2) order by created_at limit 200`,
    [expiredBefore, keptBefore],
  )
}
