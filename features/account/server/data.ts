import { first, type Sql } from '#platform/server/database/db.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { AccountIdentitiesRow } from './tables.ts'
import type { ContactTarget } from './target.ts'

/** Internal data; never shown to users or operators. */
export interface SignUp {
  readonly id: string
  readonly createdAt: Date
  readonly isActive: boolean
  /** Normalized e-mail; mobile in E.164. */
  readonly email: string | null
  readonly mobile: string | null
  /** From the oldest session still stored. */
  readonly ip: string | null
  readonly userAgent: string | null
}

export async function selectSignUps(sql: Sql, userIds: readonly string[]): Promise<SignUp[]> {
  return sql.query<SignUp>(
    `select u.id, u.created_at as "createdAt", u.status = 'active' as "isActive", e.subject as email, m.subject as mobile, s.ip, s.user_agent as "userAgent"
    from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    left join lateral (select ip, user_agent from account_sessions where user_id = u.id order by created_at limit 1) s on true
    where u.id = any ($1) order by u.id`,
    [userIds],
  )
}

/** The invite code that a user registered with, as typed. */
export async function selectInviteCode(sql: Sql, userId: string): Promise<string | null> {
  return (await sql.query<{ inviteCode: string | null }>('select invite_code from account_users where id = $1', [userId]))[0]?.inviteCode ?? null
}

export async function selectContacts(sql: Sql, userIds: readonly string[]): Promise<{ id: string; email: string | null; mobile: string | null }[]> {
  return sql.query(
    `select u.id, e.display as email, m.subject as mobile from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    where u.id = any ($1) and (e.subject is not null or m.subject is not null)`,
    [userIds],
  )
}

/** Number of accounts that are not deleted. */
export async function countUsers(sql: Sql): Promise<number> {
  return (await sql.query<{ n: number }>(`select count(*)::int as n from account_users where status <> 'deleted'`))[0]!.n
}

export interface AccountRow {
  readonly userId: string
  readonly status: 'active' | 'frozen' | 'deleted'
  readonly passwordHash: string | undefined
  readonly verifiedAt: Date | null
}

/**
 * Finds the account of an e-mail or a mobile. For an unknown one the statement reads as many rows and returns as many bytes, so that timing
 * reveals nothing (money.md A4).
 */
export async function findAccountByTarget(
  sql: Sql,
  { kind, subject }: Pick<ContactTarget, 'subject'> & { kind: IdentityKind },
): Promise<AccountRow | undefined> {
  const [row] = await sql.query<Omit<AccountRow, 'password_hash'> & { found: boolean; hasPassword: boolean; passwordHash: string }>(
    `
    select i.user_id is not null as found, u.password_hash is not null as has_password, coalesce(u.id, 'usr_00000000000000000000000000') as user_id,
      coalesce(u.status, 'active') as status, coalesce(u.password_hash, repeat('x', 97)) as password_hash,
      case when i.user_id is null then now() else i.verified_at end as verified_at
    from (select 1) asked
    left join account_identities i on i.kind = $1 and i.subject = $2
    left join account_users u on u.id = coalesce(i.user_id, 'usr_00000000000000000000000000')`,
    [kind, subject],
    'account.find-by-target',
  )
  return row!.found ? { ...row!, passwordHash: row!.hasPassword ? row!.passwordHash : undefined } : undefined
}

export type IdentityKind = 'email' | 'mobile' | 'google'

export interface UserRow {
  readonly id: string
  readonly status: 'active' | 'frozen' | 'deleted'
  readonly name: string
  readonly firstName: string
  readonly lastName: string
  readonly language: Lang | null
  readonly theme: 'system' | 'light' | 'dark' | null
  readonly createdAt: Date
  readonly passwordHash: string | null
  readonly hasPayPassword: boolean
  readonly email: string | null
  readonly emailKey: string | null
  readonly emailVerifiedAt: Date | null
  /** +8613800138000. */
  readonly mobile: string | null
  readonly hasGoogle: boolean
}

export async function findUser(sql: Sql, userId: string): Promise<UserRow | undefined> {
  return first(
    await sql.query<UserRow>(
      `select u.id, u.status, u.name, u.first_name, u.last_name, u.language, u.theme, u.created_at, u.password_hash,
      exists (select 1 from account_pay_passwords p where p.user_id = u.id) as has_pay_password,
      e.display as email, e.subject as email_key, e.verified_at as email_verified_at, m.subject as mobile, g.subject is not null as has_google
    from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    left join account_identities g on g.user_id = u.id and g.kind = 'google'
    where u.id = $1`,
      [userId],
    ),
  )
}

export interface NewUser {
  readonly id: string
  readonly name?: string
  readonly passwordHash: string | undefined
  readonly language: Lang
  readonly inviteCode: string | undefined
  readonly now: Date
}

export async function insertUser(sql: Sql, user: NewUser): Promise<void> {
  await sql.query(
    `insert into account_users (id, name, password_hash, password_set_at, language, invite_code, created_at)
    values ($1,$2,$3,case when $3::text is null then null else $6::timestamptz end,$4,$5,$6)`,
    [user.id, user.name ?? '', user.passwordHash, user.language, user.inviteCode, user.now],
  )
}

/** Reverts `insertUser` in the same transaction. */
export async function deleteNewUser(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from account_users where id = $1', [userId])
}

export type NewIdentity = Pick<AccountIdentitiesRow, 'kind' | 'subject' | 'display'>

/** Adds an identity; false if it is taken or the user already has one of its kind. */
export async function claimIdentity(
  sql: Sql,
  userId: string,
  { identity: { kind, subject, display }, now }: { readonly identity: NewIdentity; readonly now: Date },
): Promise<boolean> {
  const claimed = await sql.query(
    `insert into account_identities (kind, subject, display, user_id, verified_at, created_at) values ($1,$2,$3,$4,$5,$5) on conflict do nothing returning 1`,
    [kind, subject, display, userId, now],
  )
  return claimed.length === 1
}

/** Replaces the user's identity of this kind with a verified one. Fails with `isTaken` if another user has it. */
export async function replaceIdentity(
  sql: Sql,
  userId: string,
  { identity: { kind, subject, display }, now }: { readonly identity: NewIdentity; readonly now: Date },
): Promise<void> {
  await sql.query(
    `insert into account_identities (kind, subject, display, user_id, verified_at, created_at) values ($1,$2,$3,$4,$5,$5)
    on conflict (user_id, kind) do update set subject = excluded.subject, display = excluded.display, verified_at = excluded.verified_at,
      created_at = excluded.created_at`,
    [kind, subject, display, userId, now],
  )
}

export const isTakenError = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/** Removes an unverified e-mail from its user. */
export async function releaseUnprovenEmail(sql: Sql, userId: string): Promise<void> {
  await sql.query(`delete from account_identities where user_id = $1 and kind = 'email' and verified_at is null`, [userId])
}

export async function countIdentities(sql: Sql, userId: string): Promise<number> {
  return Number((await sql.query<{ n: string }>('select count(*)::text as n from account_identities where user_id = $1', [userId]))[0]!.n)
}

export async function setPassword(
  sql: Sql,
  userId: string,
  { passwordHash, now }: { readonly passwordHash: string | null; readonly now: Date },
): Promise<void> {
  await sql.query('update account_users set password_hash = $2, password_set_at = $3 where id = $1', [userId, passwordHash, now])
}

/** Sets the first password; false if there is one already. */
export async function setFirstPassword(
  sql: Sql,
  userId: string,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query('update account_users set password_hash = $2, password_set_at = $3 where id = $1 and password_hash is null returning 1', [
    userId,
    passwordHash,
    now,
  ])
  return rows.length === 1
}

/** Replaces a hash with a costlier one of the same password, unless the password has changed. */
export async function upgradeHash(sql: Sql, userId: string, { old, fresh }: { readonly old: string; readonly fresh: string }): Promise<void> {
  await sql.query('update account_users set password_hash = $3 where id = $1 and password_hash = $2', [userId, old, fresh])
}

/** Checks the account's password hash and locks the row against changes until the transaction ends. */
export async function lockMatchingPassword(sql: Sql, userId: string, hash: string): Promise<boolean> {
  return (await sql.query('select 1 from account_users where id = $1 and password_hash = $2 for share', [userId, hash])).length > 0
}

/** Marks a mailbox or number as verified after a correct code. */
export async function markVerified(sql: Sql, { kind, subject }: Pick<ContactTarget, 'kind' | 'subject'>, now: Date): Promise<void> {
  await sql.query(`update account_identities set verified_at = $3 where kind = $1 and subject = $2 and verified_at is null`, [kind, subject, now])
}

/** Erases personal data and frees all identities; false if the account is already closed. Ledger and audit are kept. */
export async function closeUser(sql: Sql, userId: string, now: Date): Promise<boolean> {
  const closed = await sql.query(
    `update account_users set status = 'deleted', closed_at = $2, name = '', first_name = '', last_name = '', password_hash = null, mail_choices = '{}',
      invoice = null, tips = '{}' where id = $1 and status = 'active' returning 1`,
    [userId, now],
  )
  if (!closed.length) return false
  await sql.query(
    `with gone as (delete from account_identities where user_id = $1 returning kind, subject),
      codes as (delete from account_codes c using gone where c.kind = gone.kind and c.target = gone.subject),
      pay as (delete from account_pay_passwords where user_id = $1),
      flows as (delete from account_flows where user_id = $1),
      places as (delete from account_places where user_id = $1),
      asked as (delete from account_challenges where user_id = $1),
      keys as (delete from account_passkeys where user_id = $1),
      authenticator as (delete from account_authenticators where user_id = $1),
      recovery as (delete from account_recovery where user_id = $1),
      views as (delete from account_views where user_id = $1)
    delete from account_sessions where user_id = $1`,
    [userId],
  )
  return true
}
