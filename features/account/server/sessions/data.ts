import { first, type Sql } from '#platform/server/database/db.ts'
import type { AccountSessionsRow } from '../tables.ts'

/** Returns false if the account does not exist or is closed. */
export async function insertView(
  sql: Sql,
  view: { id: string; hash: Buffer; userId: string; operatorId: string; reason: string; now: Date; endsAt: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_views (token_hash, id, user_id, operator_id, reason, created_at, expires_at)
      select $1, $2, u.id, $4, $5, $6, $7 from account_users u where u.id = $3 and u.status <> 'deleted' returning 1`,
    [view.hash, view.id, view.userId, view.operatorId, view.reason, view.now, view.endsAt],
  )
  return rows.length === 1
}

export async function findView(sql: Sql, hash: Buffer, now: Date): Promise<{ id: string; userId: string } | undefined> {
  return first(
    await sql.query<{ id: string; userId: string }>(
      `select v.id, v.user_id from account_views v join account_users u on u.id = v.user_id where v.token_hash = $1 and v.expires_at > $2 and u.status <> 'deleted'`,
      [hash, now],
    ),
  )
}

/** Ends all views of an operator who has lost the permission. */
export async function endViews(sql: Sql, operatorId: string): Promise<void> {
  await sql.query('delete from account_views where operator_id = $1', [operatorId])
}

export async function deleteOldViews(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_views where expires_at < $1', [before])
}

export type SessionRow = Pick<AccountSessionsRow, 'id' | 'ip' | 'userAgent' | 'createdAt' | 'lastSeenAt'>

/** Inserts a session. For a user with a factor it starts unproven, because signing in does not prove the factor. */
export async function insertSession(
  sql: Sql,
  session: { id: string; hash: Buffer; userId: string; ip: string; userAgent: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql.query(
    `insert into account_sessions (token_hash, id, user_id, ip, user_agent, created_at, last_seen_at, proven_at, expires_at)
    values ($1,$2,$3,$4,$5,$6::timestamptz,$6::timestamptz, case when account_has_factor($3) then 'epoch'::timestamptz else $6::timestamptz end, $7)`,
    [session.hash, session.id, session.userId, session.ip, session.userAgent, session.now, session.expiresAt],
  )
}

/** Finds an open session created after `bornAfter`. */
export async function findSession(
  sql: Sql,
  hash: Buffer,
  { now, bornAfter }: { readonly now: Date; readonly bornAfter: Date },
): Promise<{ id: string; userId: string; lastSeenAt: Date } | undefined> {
  return first(
    await sql.query<{ id: string; userId: string; lastSeenAt: Date }>(
      `select s.id, s.user_id, s.last_seen_at from account_sessions s
    join account_users u on u.id = s.user_id and u.status = 'active' where s.token_hash = $1 and s.expires_at > $2 and s.created_at > $3`,
      [hash, now, bornAfter],
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

/** Replaces the session's token and records the proof; false if the session has ended. */
export async function renewSession(
  sql: Sql,
  userId: string,
  { id, hash, now }: { readonly id: string; readonly hash: Buffer; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query('update account_sessions set token_hash = $3, proven_at = $4 where id = $1 and user_id = $2 returning 1', [
    id,
    userId,
    hash,
    now,
  ])
  return rows.length === 1
}

export async function isProvenSince(sql: Sql, userId: string, { id, since }: { readonly id: string; readonly since: Date }): Promise<boolean> {
  return (await sql.query('select 1 from account_sessions where id = $1 and user_id = $2 and proven_at > $3', [id, userId, since])).length === 1
}

export function listSessions(sql: Sql, userId: string, { now, bornAfter }: { readonly now: Date; readonly bornAfter: Date }): Promise<SessionRow[]> {
  return sql.query<SessionRow>(
    `select id, ip, user_agent, created_at, last_seen_at from account_sessions
    where user_id = $1 and expires_at > $2 and created_at > $3 order by last_seen_at desc, id desc limit 200`,
    [userId, now, bornAfter],
  )
}

/** Checks if the account has a current or recent session from this address. */
export async function hasSessionFromIp(sql: Sql, userId: string | undefined, ip: string): Promise<boolean> {
  return (await sql.query('select 1 from account_sessions where user_id = $1 and ip = $2 limit 1', [userId ?? '', ip])).length > 0
}

/** Deletes a session on sign-out, without a notice to its holder; true if it existed. */
export async function deleteSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.query('delete from account_sessions where user_id = $1 and id = $2 returning 1', [userId, id])).length > 0
}

const RECORD_ENDED = `insert into account_ended_sessions (token_hash, expires_at) select token_hash, expires_at from ended on conflict do nothing returning 1`

/** Ends one session of a user from another one, and records it so that its holder learns the reason. True if it existed. */
export async function endOneSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  const rows = await sql.query(`with ended as (delete from account_sessions where user_id = $1 and id = $2 returning token_hash, expires_at) ${RECORD_ENDED}`, [
    userId,
    id,
  ])
  return rows.length > 0
}

/** Ends all sessions of a user except `keepId`, and records them so that their holders learn the reason; returns the number. */
export async function endSessionsExcept(sql: Sql, userId: string, keepId: string): Promise<number> {
  const rows = await sql.query(
    `with ended as (delete from account_sessions where user_id = $1 and id <> $2 returning token_hash, expires_at) ${RECORD_ENDED}`,
    [userId, keepId],
  )
  return rows.length
}

/** Checks if a token's session was ended from another session. */
export async function wasEndedElsewhere(sql: Sql, hash: Buffer): Promise<boolean> {
  return (await sql.query('select 1 from account_ended_sessions where token_hash = $1', [hash])).length === 1
}

export async function deleteExpiredSessions(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_sessions where expires_at < $1', [before])
  await sql.query('delete from account_ended_sessions where expires_at < $1', [before])
}

/** Records the places of a sign-in. True if none of them was known, although others were. */
export async function recordSignInPlaces(
  sql: Sql,
  userId: string,
  { digests, now }: { readonly digests: readonly Buffer[]; readonly now: Date },
): Promise<boolean> {
  const rows = await sql.query<{ known: boolean; had: boolean }>(
    `insert into account_places (user_id, digest, last_at) select $1, digest, $3 from unnest($2::bytea[]) as digest
    on conflict (user_id, digest) do update set last_at = excluded.last_at
    returning xmax <> 0 as known, exists (select 1 from account_places where user_id = $1) as had`,
    [userId, digests, now],
  )
  return rows.every((row) => row.had && !row.known)
}

export async function deleteOldPlaces(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_places where last_at < $1', [before])
}

export async function insertFlow(sql: Sql, flow: { hash: Buffer; userId: string; sessionId: string; expiresAt: Date }): Promise<void> {
  await sql.query('insert into account_flows (token_hash, user_id, session_id, expires_at) values ($1,$2,$3,$4)', [
    flow.hash,
    flow.userId,
    flow.sessionId,
    flow.expiresAt,
  ])
}

/** Consumes a live flow of this session; true only once. */
export async function consumeFlow(sql: Sql, flow: { hash: Buffer; userId: string; sessionId: string; now: Date }): Promise<boolean> {
  const rows = await sql.query(
    `update account_flows set used_at = $4 where token_hash = $1 and user_id = $2 and session_id = $3 and used_at is null and expires_at > $4 returning 1`,
    [flow.hash, flow.userId, flow.sessionId, flow.now],
  )
  return rows.length === 1
}

/** Consumes a state; true only on its first use. */
export async function consumeOAuthState(sql: Sql, digest: Buffer, expiresAt: Date): Promise<boolean> {
  return (
    (await sql.query('insert into account_oauth_states (digest, expires_at) values ($1,$2) on conflict do nothing returning 1', [digest, expiresAt])).length ===
    1
  )
}

export async function deleteExpiredFlows(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_flows where expires_at < $1', [before])
  await sql.query('delete from account_oauth_states where expires_at < $1', [before])
}
