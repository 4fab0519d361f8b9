import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

export async function insertSecret(tx: Tx, taskId: string, { userId, sealed }: { readonly userId: string; readonly sealed: Buffer }): Promise<void> {
  await tx.query('insert into registration_secrets (task_id, user_id, sealed) values ($1,$2,$3)', [taskId, userId, sealed])
}
export async function findRegistrationSecret(sql: Sql, taskId: string): Promise<Buffer | undefined> {
  return first(await sql.query<{ sealed: Buffer }>('select sealed from registration_secrets where task_id = $1', [taskId]))?.sealed
}
export async function forgetSecret(sql: Sql, taskId: string): Promise<void> {
  await sql.query('delete from registration_secrets where task_id = $1', [taskId])
}
/** Keeps a secret for a retry, until `at`. Idempotent: a repeated event does not prolong it. */
export async function extendRegistrationSecret(sql: Sql, taskId: string, at: Date): Promise<void> {
  await sql.query('update registration_secrets set forget_at = $2 where task_id = $1 and forget_at is null', [taskId, at])
}
export async function forgetDueSecrets(sql: Sql): Promise<void> {
  await sql.query('delete from registration_secrets where forget_at <= now()')
}
/** Removes and returns the secret of a failed attempt; undefined if it was deleted. */
export async function consumeRegistrationSecret(tx: Tx, taskId: string): Promise<Buffer | undefined> {
  return first(
    await tx.query<{ sealed: Buffer }>('delete from registration_secrets where task_id = $1 and coalesce(forget_at > now(), true) returning sealed', [taskId]),
  )?.sealed
}
export async function forgetSecretsByUser(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from registration_secrets where user_id = $1', [userId])
}
