import { first } from '#platform/server/db.ts'
import type { Sql } from '#platform/server/db.ts'
import type { CodeUse } from './tokens.ts'

export interface AccountRow {
  readonly user_id: string
  readonly status: 'active' | 'frozen' | 'deleted'
  readonly password_hash: string | undefined
  readonly email: string
  readonly verified_at: Date | null
}

/**
 * The account of an e-mail. The statement reads as many rows and sends as many bytes for an unknown one, so that the
 * time it takes tells nothing (money.md A4).
 */
export async function findByEmail(sql: Sql, key: string): Promise<AccountRow | undefined> {
  const [row] = await sql.query<Omit<AccountRow, 'password_hash'> & { found: boolean; has_password: boolean; password_hash: string }>(
    `
    select i.user_id is not null as found, u.password_hash is not null as has_password, coalesce(u.id, 'usr_00000000000000000000000000') as user_id,
      coalesce(u.status, 'active') as status, coalesce(u.password_hash, repeat('x', 97)) as password_hash,
      coalesce(i.display, $1) as email, case when i.user_id is null then now() else i.verified_at end as verified_at
    from (select 1) asked
    left join account_identities i on i.kind = 'email' and i.subject = $1
    left join account_users u on u.id = coalesce(i.user_id, 'usr_00000000000000000000000000')`,
    [key],
    'account.find-by-email',
  )
  return row!.found ? { ...row!, password_hash: row!.has_password ? row!.password_hash : undefined } : undefined
}

export interface UserRow {
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly has_password: boolean
  readonly email: string | null
  readonly email_key: string | null
  readonly email_verified_at: Date | null
  readonly mobile: string | null
}

export async function findUser(sql: Sql, userId: string): Promise<UserRow | undefined> {
  return first(
    await sql.query<UserRow>(
      `select u.id, u.name, u.created_at, u.password_hash is not null as has_password,
      e.display as email, e.subject as email_key, e.verified_at as email_verified_at, m.display as mobile
    from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    where u.id = $1`,
      [userId],
    ),
  )
}

/** False when the e-mail already belongs to somebody; nothing is created then. */
export async function insertUser(sql: Sql, user: { id: string; emailKey: string; display: string; passwordHash: string; now: Date }): Promise<boolean> {
  await sql.query('insert into account_users (id, password_hash, password_set_at, created_at) values ($1,$2,$3,$3)', [user.id, user.passwordHash, user.now])
  const claimed = await sql.query(
    `insert into account_identities (kind, subject, display, user_id, verified_at, created_at)
    values ('email',$1,$2,$3,$4,$4) on conflict (kind, subject) do nothing returning 1`,
    [user.emailKey, user.display, user.id, user.now],
  )
  if (!claimed.length) await sql.query('delete from account_users where id = $1', [user.id])
  return claimed.length === 1
}

export async function setPassword(sql: Sql, userId: string, passwordHash: string, now: Date): Promise<void> {
  await sql.query('update account_users set password_hash = $2, password_set_at = $3 where id = $1', [userId, passwordHash, now])
}

/** Replaces a hash by a dearer one of the same password, unless the password was changed meanwhile. */
export async function upgradeHash(sql: Sql, userId: string, old: string, fresh: string): Promise<void> {
  await sql.query('update account_users set password_hash = $3 where id = $1 and password_hash = $2', [userId, old, fresh])
}

/** Who proved a mailbox by a code has it verified. */
export async function markEmailVerified(sql: Sql, key: string, now: Date): Promise<void> {
  await sql.query(`update account_identities set verified_at = $2 where kind = 'email' and subject = $1 and verified_at is null`, [key, now])
}
export interface SessionRow {
  readonly id: string
  readonly ip: string
  readonly user_agent: string
  readonly created_at: Date
  readonly last_seen_at: Date
}

export async function insertSession(
  sql: Sql,
  session: { id: string; hash: Buffer; userId: string; ip: string; userAgent: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql.query(
    `insert into account_sessions (token_hash, id, user_id, ip, user_agent, created_at, last_seen_at, expires_at)
    values ($1,$2,$3,$4,$5,$6,$6,$7)`,
    [session.hash, session.id, session.userId, session.ip, session.userAgent, session.now, session.expiresAt],
  )
}

export async function findSession(sql: Sql, hash: Buffer, now: Date): Promise<{ id: string; user_id: string; last_seen_at: Date } | undefined> {
  return first(
    await sql.query<{ id: string; user_id: string; last_seen_at: Date }>(
      `select s.id, s.user_id, s.last_seen_at from account_sessions s
    join account_users u on u.id = s.user_id and u.status = 'active' where s.token_hash = $1 and s.expires_at > $2`,
      [hash, now],
      'account.find-session',
    ),
  )
}

export async function touchSession(sql: Sql, hash: Buffer, seen: { ip: string; userAgent: string; now: Date; expiresAt: Date }): Promise<void> {
  await sql.query('update account_sessions set last_seen_at = $2, expires_at = $3, ip = $4, user_agent = $5 where token_hash = $1 and last_seen_at < $2', [
    hash,
    seen.now,
    seen.expiresAt,
    seen.ip,
    seen.userAgent,
  ])
}

export function listSessions(sql: Sql, userId: string, now: Date): Promise<SessionRow[]> {
  return sql.query<SessionRow>(
    `select id, ip, user_agent, created_at, last_seen_at from account_sessions
    where user_id = $1 and expires_at > $2 order by last_seen_at desc, id desc limit 200`,
    [userId, now],
  )
}

/** Whether the account is or was lately signed in from there. */
export async function knowsIp(sql: Sql, userId: string | undefined, ip: string): Promise<boolean> {
  return (await sql.query('select 1 from account_sessions where user_id = $1 and ip = $2 limit 1', [userId ?? '', ip])).length > 0
}

/** True when there was such a session of that user. */
export async function deleteSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.query('delete from account_sessions where user_id = $1 and id = $2 returning 1', [userId, id])).length > 0
}

/** Ends all sessions of a user but `keepId`; returns how many. */
export async function deleteSessions(sql: Sql, userId: string, keepId: string): Promise<number> {
  return (await sql.query('delete from account_sessions where user_id = $1 and id <> $2 returning 1', [userId, keepId])).length
}

export async function deleteExpiredSessions(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_sessions where expires_at < $1', [before])
}
/** Writes the code over the older one of the same use, unless that is younger than `notAfter`: then false. */
export async function putCode(sql: Sql, use: CodeUse, code: { id: string; hmac: Buffer; now: Date; expiresAt: Date; notAfter: Date }): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_codes as c (purpose, kind, target, id, code_hmac, sent_at, expires_at) values ($1,$2,$3,$4,$5,$6,$7)
    on conflict (purpose, kind, target) do update set id = excluded.id, code_hmac = excluded.code_hmac, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, guesses = 0, used_at = null where c.sent_at <= $8 returning 1`,
    [use.purpose, use.kind, use.target, code.id, code.hmac, code.now, code.expiresAt, code.notAfter],
  )
  return rows.length === 1
}

export async function codeSentAt(sql: Sql, use: CodeUse): Promise<Date | undefined> {
  return first(
    await sql.query<{ sent_at: Date }>('select sent_at from account_codes where purpose = $1 and kind = $2 and target = $3', [
      use.purpose,
      use.kind,
      use.target,
    ]),
  )?.sent_at
}

/**
 * One guess. The count, the comparison and the use are one guarded statement on one row: of any number of parallel
 * guesses at most `max` are compared, and one right guess uses the code (money.md A1). Undefined: there was nothing to
 * guess at.
 */
export async function guessOnce(sql: Sql, use: CodeUse, hmac: Buffer, now: Date, max: number): Promise<{ right: boolean; guesses: number } | undefined> {
  return first(
    await sql.query<{ right: boolean; guesses: number }>(
      `update account_codes
    set guesses = guesses + 1, used_at = case when code_hmac = $4 then $5::timestamptz end
    where purpose = $1 and kind = $2 and target = $3 and used_at is null and guesses < $6 and expires_at > $5
    returning used_at is not null as "right", guesses`,
      [use.purpose, use.kind, use.target, hmac, now, max],
    ),
  )
}

export async function deleteExpiredCodes(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_codes where expires_at < $1', [before])
}
