import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { NewPasskey } from '#platform/server/proof/passkey.ts'
import type { AccountAuthenticatorsRow, AccountPasskeysRow } from '../tables.ts'

export type PasskeyRow = Omit<AccountPasskeysRow, 'transports'>
export type AuthenticatorRow = Omit<AccountAuthenticatorsRow, 'counter' | 'createdAt'>
type Purpose = 'register' | 'stepUp'

export async function hasFactor(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query<{ has: boolean }>('select account_has_factor($1) as has', [userId]))[0]!.has
}

export function selectPasskeys(sql: Sql, userId: string): Promise<PasskeyRow[]> {
  return sql.query<PasskeyRow>('select * from account_passkeys where user_id = $1 order by created_at, id', [userId])
}

export async function findPasskey(sql: Sql, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return first(await sql.query<PasskeyRow>('select * from account_passkeys where id = $1 and user_id = $2', [id, userId]))
}

export async function insertPasskey(
  sql: Sql,
  userId: string,
  { name, made, now }: { readonly name: string; readonly made: NewPasskey; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_passkeys (id, user_id, public_key, counter, transports, name, created_at) values ($1,$2,$3,$4,$5,$6,$7) on conflict do nothing returning 1`,
    [made.id, userId, made.publicKey, made.counter, made.transports, name, now],
  )
  return rows.length === 1
}

/** Returns false if a concurrent use changed the counter after it was checked. */
export async function recordUserPasskeyUse(
  sql: Sql,
  id: string,
  { was, counter, now }: { readonly was: bigint; readonly counter: number; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query('update account_passkeys set counter = $3, last_used_at = $4 where id = $1 and counter = $2 returning 1', [
    id,
    was,
    counter,
    now,
  ])
  return rows.length === 1
}

export async function deletePasskey(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.query('delete from account_passkeys where id = $1 and user_id = $2 returning 1', [id, userId])).length === 1
}

export async function insertChallenge(sql: Sql, made: { id: string; challenge: string; purpose: Purpose; userId: string; expiresAt: Date }): Promise<void> {
  await sql.query('insert into account_challenges (id, challenge, purpose, user_id, expires_at) values ($1,$2,$3,$4,$5)', [
    ...[made.id, made.challenge, made.purpose, made.userId, made.expiresAt],
  ])
}

/** Once. */
export async function consumeChallenge(
  sql: Sql,
  userId: string,
  { id, purpose, now }: { readonly id: string; readonly purpose: Purpose; readonly now: Date },
): Promise<string | undefined> {
  return first(
    await sql.query<{ challenge: string }>(
      'delete from account_challenges where id = $1 and user_id = $2 and purpose = $3 and expires_at > $4 returning challenge',
      [id, userId, purpose, now],
    ),
  )?.challenge
}

export async function deleteOldChallenges(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_challenges where expires_at < $1', [before])
}

export async function findAuthenticator(sql: Sql, userId: string): Promise<AuthenticatorRow | undefined> {
  return first(await sql.query<AuthenticatorRow>('select * from account_authenticators where user_id = $1', [userId]))
}

/** Stores a secret, replacing an unconfirmed one; false if a confirmed one exists. */
export async function storeAuthenticatorSecret(sql: Sql, userId: string, { sealed, now }: { readonly sealed: Buffer; readonly now: Date }): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_authenticators as a (user_id, sealed, created_at) values ($1,$2,$3)
      on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at where a.confirmed_at is null returning 1`,
    [userId, sealed, now],
  )
  return rows.length === 1
}

export async function confirmAuthenticator(sql: Sql, userId: string, { counter, now }: { readonly counter: number; readonly now: Date }): Promise<boolean> {
  const rows = await sql.query(
    'update account_authenticators set confirmed_at = $3, counter = $2 where user_id = $1 and confirmed_at is null and counter < $2 returning 1',
    [userId, counter, now],
  )
  return rows.length === 1
}

/** Returns true once per counter, and never for a lower one. */
export async function consumeCounter(sql: Sql, userId: string, counter: number): Promise<boolean> {
  const rows = await sql.query('update account_authenticators set counter = $2 where user_id = $1 and confirmed_at is not null and counter < $2 returning 1', [
    userId,
    counter,
  ])
  return rows.length === 1
}

export async function deleteAuthenticator(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query('delete from account_authenticators where user_id = $1 and confirmed_at is not null returning 1', [userId])).length === 1
}

export async function replaceUserRecoveryCodes(sql: Sql, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql.query('delete from account_recovery where user_id = $1', [userId])
  await sql.query('insert into account_recovery (user_id, code_hash) select $1, unnest($2::bytea[])', [userId, hashes])
}

/** Returns true once per code. */
export async function consumeUserRecoveryCode(sql: Sql, userId: string, { hash, now }: { readonly hash: Buffer; readonly now: Date }): Promise<boolean> {
  const rows = await sql.query('update account_recovery set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null returning 1', [
    userId,
    hash,
    now,
  ])
  return rows.length === 1
}

export async function countUserRecoveryCodes(sql: Sql, userId: string): Promise<number> {
  return (await sql.query<{ n: number }>('select count(*)::int as n from account_recovery where user_id = $1 and used_at is null', [userId]))[0]!.n
}

/** Deletes all factors of a user; returns the number of passkeys and authenticators deleted. */
export async function deleteFactors(sql: Sql, userId: string): Promise<number> {
  const rows = await sql.query<{ n: number }>(
    `with keys as (delete from account_passkeys where user_id = $1 returning 1), one as (delete from account_authenticators where user_id = $1 returning 1),
      codes as (delete from account_recovery where user_id = $1) select ((select count(*) from keys) + (select count(*) from one))::int as n`,
    [userId],
  )
  return rows[0]!.n
}
