import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { BackofficeSessionsRow, BackofficeTokensRow } from '../tables.ts'

export type SessionRow = Omit<BackofficeSessionsRow, 'tokenHash'>
export type TokenRow = Omit<BackofficeTokensRow, 'tokenHash'>

export async function insertSession(sql: Sql, made: Omit<SessionRow, 'lastSeenAt' | 'provenAt'> & { hash: Buffer }): Promise<void> {
  await sql.query(
    `insert into backoffice_sessions (id, token_hash, operator_id, method, ip, user_agent, created_at, last_seen_at, proven_at) values ($1,$2,$3,$4,$5,$6,$7,$7,$7)`,
    [made.id, made.hash, made.operatorId, made.method, made.ip, made.userAgent, made.createdAt],
  )
}

/** A live session of an active operator, with the operator's current roles. */
export async function findSession(
  sql: Sql,
  hash: Buffer,
  { seenSince, madeSince }: { readonly seenSince: Date; readonly madeSince: Date },
): Promise<(SessionRow & { roles: string[] }) | undefined> {
  return first(
    await sql.query<SessionRow & { roles: string[] }>(
      `select s.*, o.roles from backoffice_sessions s join backoffice_operators o on o.id = s.operator_id
        where s.token_hash = $1 and o.status = 'active' and s.last_seen_at > $2 and s.created_at > $3`,
      [hash, seenSince, madeSince],
      'backoffice.find-session',
    ),
  )
}

/** Checks if an operator, given by mail or id, ever signed in from an IP address. */
export async function isKnownAddress(sql: Sql, who: string, ip: string): Promise<boolean> {
  const found = await sql.query(
    'select 1 from backoffice_sessions s join backoffice_operators o on o.id = s.operator_id where (o.mail = $1 or o.id = $1) and s.ip = $2 limit 1',
    [who, ip],
  )
  return found.length > 0
}

export async function touchSession(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('update backoffice_sessions set last_seen_at = $2 where id = $1', [id, now])
}

/** Marks the session as re-authenticated and replaces its token; the old token stops working. */
export async function renewSession(sql: Sql, id: string, { hash, now }: { readonly hash: Buffer; readonly now: Date }): Promise<boolean> {
  return (
    (await sql.query('update backoffice_sessions set token_hash = $2, proven_at = $3, last_seen_at = $3 where id = $1 returning id', [id, hash, now]))
      .length === 1
  )
}

export async function listSessionsByOperator(
  sql: Sql,
  operatorId: string,
  { seenSince, madeSince }: { readonly seenSince: Date; readonly madeSince: Date },
): Promise<SessionRow[]> {
  return sql.query<SessionRow>(
    'select * from backoffice_sessions where operator_id = $1 and last_seen_at > $2 and created_at > $3 order by last_seen_at desc, id',
    [operatorId, seenSince, madeSince],
  )
}

export async function deleteOperatorSession(sql: Sql, operatorId: string, id: string): Promise<boolean> {
  return (await sql.query('delete from backoffice_sessions where operator_id = $1 and id = $2 returning id', [operatorId, id])).length === 1
}

export async function deleteOperatorSessions(sql: Sql, operatorId: string): Promise<number> {
  return (await sql.query('delete from backoffice_sessions where operator_id = $1 returning id', [operatorId])).length
}

export async function insertToken(sql: Sql, made: Pick<TokenRow, 'id' | 'operatorId' | 'name' | 'permissions' | 'createdAt' | 'expiresAt'> & { hash: Buffer }) {
  await sql.query('insert into backoffice_tokens (id, token_hash, operator_id, name, permissions, created_at, expires_at) values ($1,$2,$3,$4,$5,$6,$7)', [
    made.id,
    made.hash,
    made.operatorId,
    made.name,
    made.permissions,
    made.createdAt,
    made.expiresAt,
  ])
}

/** A live token of an active operator. */
export async function findToken(sql: Sql, hash: Buffer, now: Date): Promise<(TokenRow & { roles: string[] }) | undefined> {
  return first(
    await sql.query<TokenRow & { roles: string[] }>(
      `select t.*, o.roles from backoffice_tokens t join backoffice_operators o on o.id = t.operator_id
        where t.token_hash = $1 and o.status = 'active' and t.revoked_at is null and t.expires_at > $2`,
      [hash, now],
      'backoffice.find-token',
    ),
  )
}

export async function touchToken(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('update backoffice_tokens set last_used_at = $2 where id = $1', [id, now])
}

export async function listTokensByOperator(sql: Sql, operatorId: string): Promise<TokenRow[]> {
  return sql.query<TokenRow>('select * from backoffice_tokens where operator_id = $1 order by created_at desc, id', [operatorId])
}

export async function revokeToken(sql: Sql, operatorId: string, { id, now }: { readonly id: string; readonly now: Date }): Promise<boolean> {
  return (
    (
      await sql.query('update backoffice_tokens set revoked_at = $3 where operator_id = $1 and id = $2 and revoked_at is null returning id', [
        operatorId,
        id,
        now,
      ])
    ).length === 1
  )
}

export async function revokeAllTokens(sql: Sql, operatorId: string, now: Date): Promise<number> {
  return (await sql.query('update backoffice_tokens set revoked_at = $2 where operator_id = $1 and revoked_at is null returning id', [operatorId, now])).length
}
