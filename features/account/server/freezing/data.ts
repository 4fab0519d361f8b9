import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { IdentityKind } from '../data.ts'
import type { FreezePart } from './scopes.ts'

/** False when the user is frozen or closed already, or nobody. */
export async function freezeUser(sql: Sql, userId: string, frozen: { at: Date; reason: string; by: string }): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'frozen', frozen_at = $2, frozen_reason = $3, frozen_by = $4 where id = $1 and status = 'active' returning 1`,
    [userId, frozen.at, frozen.reason, frozen.by],
  )
  return rows.length === 1
}

/** False when the user is not frozen. */
export async function thawUser(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'active', frozen_at = null, frozen_reason = null, frozen_by = null where id = $1 and status = 'frozen' returning 1`,
    [userId],
  )
  return rows.length === 1
}

/** Locks the user against whatever asks `lockActive` or `lockPayouts`. False for one that is closed, or nobody. */
export async function lockForFreeze(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from account_users where id = $1 and status <> 'deleted' for no key update`, [userId])
  return rows.length === 1
}

/** Freezes parts of the account; answers those that were not frozen yet. */
export async function freezeParts(
  sql: Sql,
  userId: string,
  scopes: readonly FreezePart[],
  frozen: { at: Date; reason: string; by: string },
): Promise<readonly FreezePart[]> {
  const rows = await sql.query<{ scope: FreezePart }>(
    `insert into account_freezes (user_id, scope, frozen_at, reason, frozen_by) select $1, scope, $3, $4, $5 from unnest($2::text[]) scope
     on conflict (user_id, scope) do nothing returning scope`,
    [userId, scopes, frozen.at, frozen.reason, frozen.by],
  )
  return rows.map(({ scope }) => scope)
}

/** Ends the freezes of parts of the account; answers those that there were. */
export async function thawParts(sql: Sql, userId: string, scopes: readonly FreezePart[]): Promise<readonly FreezePart[]> {
  const rows = await sql.query<{ scope: FreezePart }>('delete from account_freezes where user_id = $1 and scope = any ($2) returning scope', [userId, scopes])
  return rows.map(({ scope }) => scope)
}

export interface Freeze {
  readonly scope: FreezePart
  readonly frozen_at: Date
  readonly reason: string
  readonly frozen_by: string
}
export const freezesOf = (sql: Sql, userId: string) =>
  sql.query<Freeze>('select scope, frozen_at, reason, frozen_by from account_freezes where user_id = $1 order by frozen_at, scope', [userId])

/** Whether money of the user must stay in the house. */
export async function payoutsFrozen(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from account_users u where id = $1
     and (status = 'frozen' or exists (select 1 from account_freezes where user_id = u.id and scope = 'money_out'))`,
    [userId],
  )
  return rows.length === 1
}

/** Ends all sessions of a user without a word to their holders: what there is to say is said when they sign in. Returns how many. */
export async function dropSessions(sql: Sql, userId: string): Promise<number> {
  return (await sql.query('delete from account_sessions where user_id = $1 returning 1', [userId])).length
}

/** Which of these users may not act: frozen or closed. */
export async function inactiveAmong(sql: Sql, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(`select id from account_users where id = any($1) and status <> 'active'`, [userIds], 'account.inactive-among')
  return new Set(rows.map((row) => row.id))
}

/** Which of these users may make no calls, and why: frozen or closed as a whole, or their calls alone. */
export async function callsFrozenAmong(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, 'account' | 'calls'>> {
  const rows = await sql.query<{ id: string; why: 'account' | 'calls' }>(
    `select id, case when status <> 'active' then 'account' else 'calls' end as why from account_users u where id = any($1)
     and (status <> 'active' or exists (select 1 from account_freezes where user_id = u.id and scope = 'calls'))`,
    [userIds],
    'account.calls-frozen-among',
  )
  return new Map(rows.map(({ id, why }) => [id, why]))
}

/** Whether the user may act, held so until the transaction ends: a freeze waits for it, or is seen. Users that are not ours may. */
export async function lockActive(sql: Sql, userId: string): Promise<boolean> {
  const row = first(await sql.query<{ status: string }>('select status from account_users where id = $1 for share', [userId]))
  return row === undefined || row.status === 'active'
}

/** The user of an id, or of a way to sign in. */
export async function userNamed(sql: Sql, named: { id: string } | { kind: IdentityKind; subject: string }): Promise<string | undefined> {
  if ('id' in named) return first(await sql.query<{ id: string }>('select id from account_users where id = $1', [named.id]))?.id
  return first(await sql.query<{ user_id: string }>('select user_id from account_identities where kind = $1 and subject = $2', [named.kind, named.subject]))
    ?.user_id
}

export interface Standing {
  readonly status: string
  readonly sessions: number
  readonly moneyOutFrozen: boolean
  readonly callsFrozen: boolean
}
/** What a freeze changes of a user. */
export async function standingOf(sql: Sql, userId: string): Promise<Standing | undefined> {
  return first(
    await sql.query<Standing>(
      `select status, (select count(*)::int from account_sessions s where s.user_id = u.id) as sessions,
         exists (select 1 from account_freezes f where f.user_id = u.id and scope = 'money_out') as "moneyOutFrozen",
         exists (select 1 from account_freezes f where f.user_id = u.id and scope = 'calls') as "callsFrozen" from account_users u where id = $1`,
      [userId],
    ),
  )
}
