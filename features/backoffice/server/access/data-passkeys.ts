import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { BackofficePasskeysRow } from '../tables.ts'

export type ChallengePurpose = 'signIn' | 'register' | 'stepUp'
export type PasskeyRow = Omit<BackofficePasskeysRow, 'transports'>

export async function insertPasskeyChallenge(
  sql: Sql,
  made: { id: string; challenge: string; purpose: ChallengePurpose; operatorId: string | null; expiresAt: Date },
): Promise<void> {
  await sql.query('insert into backoffice_challenges (id, challenge, purpose, operator_id, expires_at) values ($1,$2,$3,$4,$5)', [
    made.id,
    made.challenge,
    made.purpose,
    made.operatorId,
    made.expiresAt,
  ])
}

/** Once. */
export async function takePasskeyChallenge(
  sql: Sql,
  id: string,
  { purpose, now }: { readonly purpose: ChallengePurpose; readonly now: Date },
): Promise<{ challenge: string; operatorId: string | null } | undefined> {
  return first(
    await sql.query<{ challenge: string; operatorId: string | null }>(
      'delete from backoffice_challenges where id = $1 and purpose = $2 and expires_at > $3 returning challenge, operator_id',
      [id, purpose, now],
    ),
  )
}

export async function findPasskey(sql: Sql, id: string): Promise<PasskeyRow | undefined> {
  return first(await sql.query<PasskeyRow>('select * from backoffice_passkeys where id = $1', [id]))
}

export async function listPasskeysByOperator(sql: Sql, operatorId: string): Promise<PasskeyRow[]> {
  return sql.query<PasskeyRow>('select * from backoffice_passkeys where operator_id = $1 order by created_at, id', [operatorId])
}

export async function insertPasskey(
  sql: Sql,
  made: { id: string; operatorId: string; publicKey: Buffer; counter: number; transports: readonly string[]; name: string },
): Promise<boolean> {
  const rows = await sql.query(
    'insert into backoffice_passkeys (id, operator_id, public_key, counter, transports, name) values ($1,$2,$3,$4,$5,$6) on conflict do nothing returning id',
    [made.id, made.operatorId, made.publicKey, made.counter, made.transports, made.name],
  )
  return rows.length === 1
}

/** Updates the counter; false if a concurrent use changed the counter that was checked. */
export async function recordPasskeyUse(
  sql: Sql,
  id: string,
  { was, counter, now }: { readonly was: bigint; readonly counter: number; readonly now: Date },
): Promise<boolean> {
  return (
    (await sql.query('update backoffice_passkeys set counter = $3, last_used_at = $4 where id = $1 and counter = $2 returning id', [id, was, counter, now]))
      .length === 1
  )
}

export async function deletePasskey(sql: Sql, operatorId: string, id: string): Promise<boolean> {
  return (await sql.query('delete from backoffice_passkeys where operator_id = $1 and id = $2 returning id', [operatorId, id])).length === 1
}
