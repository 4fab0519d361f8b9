import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { ProxyExtensionsRow } from './tables.ts'

/** Stores a user's only sign-in code; the previous one becomes invalid. */
export async function insertExtensionCode(tx: Tx, codeHash: Buffer, { userId, minutes }: { readonly userId: string; readonly minutes: number }): Promise<Date> {
  await tx.query('delete from proxy_codes where user_id = $1 or expires_at < clock_timestamp()', [userId])
  const rows = await tx.query<{ expiresAt: Date }>(
    `insert into proxy_codes (code_hash, user_id, expires_at) values ($1, $2, clock_timestamp() + make_interval(mins => $3)) returning expires_at`,
    [codeHash, userId, minutes],
  )
  return rows[0]!.expiresAt
}

/** Consumes a code; of concurrent calls, one succeeds. */
export async function consumeExtensionCode(tx: Tx, codeHash: Buffer): Promise<string | undefined> {
  const rows = await tx.query<{ userId: string }>(
    `update proxy_codes set used_at = clock_timestamp() where code_hash = $1 and used_at is null and expires_at > clock_timestamp() returning user_id`,
    [codeHash],
  )
  return first(rows)?.userId
}

export async function insertExtension(
  tx: Tx,
  row: { readonly id: string; readonly userId: string; readonly tokenHash: Buffer; readonly name: string },
): Promise<void> {
  await tx.query('insert into proxy_extensions (id, user_id, token_hash, name) values ($1,$2,$3,$4)', [row.id, row.userId, row.tokenHash, row.name])
}

/** Returns the user of an extension token and updates its last use; undefined once it was signed out. */
export async function recordExtensionUse(sql: Sql, tokenHash: Buffer): Promise<string | undefined> {
  const rows = await sql.query<{ userId: string }>(
    'update proxy_extensions set seen_at = clock_timestamp() where token_hash = $1 and ended_at is null returning user_id',
    [tokenHash],
  )
  return first(rows)?.userId
}

export type ExtensionRow = Pick<ProxyExtensionsRow, 'id' | 'name' | 'createdAt' | 'seenAt'>
export async function selectExtensions(sql: Sql, userId: string): Promise<ExtensionRow[]> {
  return sql.query<ExtensionRow>(
    'select id, name, created_at, seen_at from proxy_extensions where user_id = $1 and ended_at is null order by created_at desc limit 50',
    [userId],
  )
}

/**
 * Signs out all extensions of a user. Deletes codes first: a code that is being used blocks the delete, and its extension is then signed
 * out too.
 */
export async function endUserExtensions(tx: Tx, userId: string): Promise<string[]> {
  await tx.query('delete from proxy_codes where user_id = $1', [userId])
  const rows = await tx.query<{ id: string }>('update proxy_extensions set ended_at = clock_timestamp() where user_id = $1 and ended_at is null returning id', [
    userId,
  ])
  return rows.map(({ id }) => id)
}

export async function endExtension(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query('update proxy_extensions set ended_at = clock_timestamp() where id = $1 and user_id = $2 and ended_at is null returning id', [
    id,
    userId,
  ])
  return rows.length > 0
}
