import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { IdentityKind } from '../data.ts'
import type { AccountFreezesRow } from '../tables.ts'
import type { FreezePart } from './scopes.ts'

/** Freezes a user; false if the user is frozen, closed or unknown. */
export async function freezeUser(sql: Sql, userId: string, frozen: { at: Date; reason: string; by: string }): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'frozen', frozen_at = $2, frozen_reason = $3, frozen_by = $4 where id = $1 and status = 'active' returning 1`,
    [userId, frozen.at, frozen.reason, frozen.by],
  )
  return rows.length === 1
}

/** Unfreezes a user; false if the user is not frozen. */
export async function thawUser(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'active', frozen_at = null, frozen_reason = null, frozen_by = null where id = $1 and status = 'frozen' returning 1`,
    [userId],
  )
  return rows.length === 1
}

/** Locks the user against `lockActive` and `lockPayouts`. False if the user is closed or unknown. */
export async function lockForFreeze(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from account_users where id = $1 and status <> 'deleted' for no key update`, [userId])
  return rows.length === 1
}

/** Freezes parts of the account; returns those that were not frozen yet. */
export async function freezeParts(
  sql: Sql,
  userId: string,
  { scopes, frozen }: { readonly scopes: readonly FreezePart[]; readonly frozen: { at: Date; reason: string; by: string } },
): Promise<readonly FreezePart[]> {
  const rows = await sql.query<{ scope: FreezePart }>(
    `insert into account_freezes (user_id, scope, frozen_at, reason, frozen_by) select $1, scope, $3, $4, $5 from unnest($2::text[]) scope
     on conflict (user_id, scope) do nothing returning scope`,
    [userId, scopes, frozen.at, frozen.reason, frozen.by],
  )
  return rows.map(({ scope }) => scope)
}

/** Unfreezes parts of the account; returns those that were frozen. */
export async function thawParts(sql: Sql, userId: string, scopes: readonly FreezePart[]): Promise<readonly FreezePart[]> {
  const rows = await sql.query<{ scope: FreezePart }>('delete from account_freezes where user_id = $1 and scope = any ($2) returning scope', [userId, scopes])
  return rows.map(({ scope }) => scope)
}

export type Freeze = Pick<AccountFreezesRow, 'scope' | 'frozenAt' | 'reason' | 'frozenBy'>
export const selectFreezes = (sql: Sql, userId: string) =>
  sql.query<Freeze>('select scope, frozen_at, reason, frozen_by from account_freezes where user_id = $1 order by frozen_at, scope', [userId])

/** Checks if the user's payouts are frozen. */
export async function arePayoutsFrozen(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from account_users u where id = $1
     and (status = 'frozen' or exists (select 1 from account_freezes where user_id = u.id and scope = 'money_out'))`,
    [userId],
  )
  return rows.length === 1
}

/** Ends all sessions of a user without notice; the next sign-in shows the reason. Returns the number of sessions. */
export async function deleteSessions(sql: Sql, userId: string): Promise<number> {
  return (await sql.query('delete from account_sessions where user_id = $1 returning 1', [userId])).length
}

/** Selects the frozen and closed users among these. */
export async function selectInactiveUsers(sql: Sql, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(`select id from account_users where id = any($1) and status <> 'active'`, [userIds], 'account.inactive-among')
  return new Set(rows.map((row) => row.id))
}

/** Selects the users among these whose API calls are refused, with the reason: account frozen or closed, or only calls frozen. */
export async function selectCallFreezes(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, 'account' | 'calls'>> {
  const rows = await sql.query<{ id: string; why: 'account' | 'calls' }>(
    `select id, case when status <> 'active' then 'account' else 'calls' end as why from account_users u where id = any($1)
     and (status <> 'active' or exists (select 1 from account_freezes where user_id = u.id and scope = 'calls'))`,
    [userIds],
    'account.calls-frozen-among',
  )
  return new Map(rows.map(({ id, why }) => [id, why]))
}

/**
 * Checks if the user may act and locks the row until the transaction ends, so that a concurrent freeze either waits or is seen. True for
 * unknown users.
 */
export async function lockActive(sql: Sql, userId: string): Promise<boolean> {
  const row = first(await sql.query<{ status: string }>('select status from account_users where id = $1 for share', [userId]))
  return row === undefined || row.status === 'active'
}

/** Finds a user by id or by a sign-in identity. */
export async function selectUserId(sql: Sql, named: { id: string } | { kind: IdentityKind; subject: string }): Promise<string | undefined> {
  if ('id' in named) return first(await sql.query<{ id: string }>('select id from account_users where id = $1', [named.id]))?.id
  return first(await sql.query<{ userId: string }>('select user_id from account_identities where kind = $1 and subject = $2', [named.kind, named.subject]))
    ?.userId
}

export interface AccountStatus {
  readonly status: string
  readonly sessions: number
  readonly moneyOutFrozen: boolean
  readonly callsFrozen: boolean
}
/** User state that a freeze changes. */
export async function selectAccountStatus(sql: Sql, userId: string): Promise<AccountStatus | undefined> {
  return first(
    await sql.query<AccountStatus>(
      `select status, (select count(*)::int from account_sessions s where s.user_id = u.id) as sessions,
         exists (select 1 from account_freezes f where f.user_id = u.id and scope = 'money_out') as "moneyOutFrozen",
         exists (select 1 from account_freezes f where f.user_id = u.id and scope = 'calls') as "callsFrozen" from account_users u where id = $1`,
      [userId],
    ),
  )
}
