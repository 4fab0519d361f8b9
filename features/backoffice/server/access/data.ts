import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import { resolvePermissions } from '../../permissions.ts'
import type { OperatorRole } from '../../permissions.ts'
import type { BackofficeOperatorsRow } from '../tables.ts'

export interface OperatorRow extends Omit<BackofficeOperatorsRow, 'roles' | 'createdBy'> {
  readonly roles: readonly OperatorRole[]
}

export async function findOperator(sql: Sql, id: string): Promise<OperatorRow | undefined> {
  return first(await sql.query<OperatorRow>('select * from backoffice_operators where id = $1', [id]))
}

export async function findOperatorByMail(sql: Sql, mail: string): Promise<OperatorRow | undefined> {
  return first(await sql.query<OperatorRow>('select * from backoffice_operators where mail = $1', [mail]))
}

/** Locks the operator until the transaction ends, so that the roles cannot change meanwhile. */
export async function lockOperator(sql: Sql, id: string): Promise<OperatorRow | undefined> {
  return first(await sql.query<OperatorRow>('select * from backoffice_operators where id = $1 for update', [id]))
}

export async function listOperators(sql: Sql): Promise<OperatorRow[]> {
  return sql.query<OperatorRow>('select * from backoffice_operators order by created_at, id')
}

export async function listActiveOwners(sql: Sql): Promise<OperatorRow[]> {
  return sql.query<OperatorRow>(`select * from backoffice_operators where status = 'active' and 'owner' = any(roles) order by created_at, id`)
}

/** Active operators with a permission, except this one. */
export async function listOthersWithPermission(sql: Sql, permission: string, but: string): Promise<OperatorRow[]> {
  return (await sql.query<OperatorRow>(`select * from backoffice_operators where status = 'active' and id <> $1 order by id`, [but])).filter(({ roles }) =>
    resolvePermissions(roles).has(permission),
  )
}

/** Inserts an operator; false if the mail is taken. */
export async function insertOperator(sql: Sql, made: Pick<OperatorRow, 'id' | 'name' | 'mail' | 'roles'> & { by: string }): Promise<boolean> {
  const rows = await sql.query(
    `insert into backoffice_operators (id, name, mail, roles, status, created_by) values ($1,$2,$3,$4,'invited',$5) on conflict do nothing returning id`,
    [made.id, made.name, made.mail, made.roles, made.by],
  )
  return rows.length === 1
}

export async function setRoles(sql: Sql, id: string, roles: readonly OperatorRole[]): Promise<void> {
  await sql.query('update backoffice_operators set roles = $2 where id = $1', [id, roles])
}

export async function setStatus(
  sql: Sql,
  id: string,
  { from, to }: { readonly from: OperatorRow['status']; readonly to: OperatorRow['status'] },
): Promise<boolean> {
  return (await sql.query('update backoffice_operators set status = $3 where id = $1 and status = $2 returning id', [id, from, to])).length === 1
}

export async function enrolOperator(sql: Sql, id: string, kept: { passwordHash: string; totpSealed: Buffer; counter: number }): Promise<void> {
  await sql.query(`update backoffice_operators set password_hash = $2, totp_sealed = $3, totp_counter = $4, status = 'active' where id = $1`, [
    id,
    kept.passwordHash,
    kept.totpSealed,
    kept.counter,
  ])
}

/** Consumes a TOTP counter: true once per counter, and never for an older one. */
export async function consumeTotpCounter(sql: Sql, id: string, counter: number): Promise<boolean> {
  return (await sql.query('update backoffice_operators set totp_counter = $2 where id = $1 and totp_counter < $2 returning id', [id, counter])).length === 1
}

export async function insertInvite(sql: Sql, invite: { hash: Buffer; operatorId: string; expiresAt: Date }): Promise<void> {
  await sql.query('update backoffice_invites set used_at = now() where operator_id = $1 and used_at is null', [invite.operatorId])
  await sql.query('insert into backoffice_invites (token_hash, operator_id, expires_at) values ($1,$2,$3)', [invite.hash, invite.operatorId, invite.expiresAt])
}

/** Operator of a valid invitation. */
export async function findInvitedOperator(sql: Sql, hash: Buffer, now: Date): Promise<OperatorRow | undefined> {
  return first(
    await sql.query<OperatorRow>(
      `select o.* from backoffice_invites i join backoffice_operators o on o.id = i.operator_id
        where i.token_hash = $1 and i.used_at is null and i.expires_at > $2 and o.status = 'invited'`,
      [hash, now],
    ),
  )
}

/** True once. */
export async function consumeInvite(sql: Sql, hash: Buffer, now: Date): Promise<boolean> {
  return (
    (
      await sql.query('update backoffice_invites set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2 returning operator_id', [
        hash,
        now,
      ])
    ).length === 1
  )
}

export async function replaceRecoveryCodes(sql: Sql, operatorId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql.query('delete from backoffice_recovery where operator_id = $1', [operatorId])
  await sql.query('insert into backoffice_recovery (operator_id, code_hash) select $1, unnest($2::bytea[])', [operatorId, hashes])
}

/** Consumes a recovery code: true once per code. */
export async function consumeRecoveryCode(sql: Sql, operatorId: string, { hash, now }: { readonly hash: Buffer; readonly now: Date }): Promise<boolean> {
  return (
    (
      await sql.query('update backoffice_recovery set used_at = $3 where operator_id = $1 and code_hash = $2 and used_at is null returning operator_id', [
        operatorId,
        hash,
        now,
      ])
    ).length === 1
  )
}

/** Deletes expired sessions and challenges. */
export async function deleteExpiredAccess(sql: Sql, now: Date): Promise<void> {
  await sql.query(`delete from backoffice_sessions where created_at < $1::timestamptz - interval '30 days'`, [now])
  await sql.query('delete from backoffice_challenges where expires_at < $1', [now])
}

/** Serializes the creation of operators until the transaction ends. */
export async function lockOperators(sql: Sql): Promise<void> {
  await sql.query('lock table backoffice_operators in share row exclusive mode')
}

export async function listOperatorsCreatedBy(sql: Sql, by: string): Promise<OperatorRow[]> {
  return sql.query<OperatorRow>(`select * from backoffice_operators where created_by = $1 and status = 'active' order by id`, [by])
}
