import type { Ctx } from '#platform/server/feature.ts'
import { newRecoveryCodes, recoveryHash } from '#platform/server/proof/one-time.ts'
import { transact } from '#platform/server/database/transact.ts'
import { isProven } from '#platform/server/operator-proof.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import type { accessContract } from '../../contract.console.ts'
import { permissionsOf } from '../../permissions.ts'
import { findOperator, listOperators, replaceRecovery } from './data.ts'
import { endSession, insertToken, revokeToken, sessionsOf, tokensOf } from './data-sessions.ts'
import { requirePerson, requireProvenPerson } from './proven.ts'
import { hashOf, newToken } from './secrets.ts'
import { liveSince } from './sessions.ts'

type Contract = typeof accessContract

/** Sessions, tokens and codes that an operator looks after without asking anybody. */
export async function readMe(ctx: Ctx): Promise<ReplyOf<Contract['me']>> {
  const operator = (await findOperator(ctx.db, ctx.operator!.id)) ?? fail('SESSION_EXPIRED')
  const { id, name, mail, roles } = operator
  return { id, name, mail, roles: [...roles], permissions: [...ctx.operator!.permissions], by: ctx.operator!.by, isProven: isProven(ctx) }
}

export async function signOut(ctx: Ctx): Promise<{}> {
  return endOwnSession(ctx, { sessionId: ctx.sessionId })
}

export async function listSessions(ctx: Ctx): Promise<ReplyOf<Contract['sessions']>> {
  const { seen, made } = liveSince(ctx.clock.now())
  const rows = await sessionsOf(ctx.db, ctx.operator!.id, seen, made)
  return {
    sessions: rows.map((row) => ({
      ...{ id: row.id, method: row.method, ip: row.ip, userAgent: row.user_agent, current: row.id === ctx.sessionId },
      ...{ createdAt: row.created_at.toISOString(), lastSeenAt: row.last_seen_at.toISOString() },
    })),
  }
}

export async function endOwnSession(ctx: Ctx, { sessionId }: InputOf<Contract['endSession']>): Promise<{}> {
  requirePerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await endSession(tx, ctx.operator!.id, sessionId))) fail('NOT_FOUND')
    await tx.audit('operator.session-ended', `operator:${ctx.operator!.id}`, { sessionId, ip: ctx.ip })
  })
  return {}
}

export async function renewRecovery(ctx: Ctx): Promise<ReplyOf<Contract['newRecovery']>> {
  requireProvenPerson(ctx)
  const recoveryCodes = newRecoveryCodes()
  await transact(ctx.db, ctx.actor, async (tx) => {
    await replaceRecovery(tx, ctx.operator!.id, recoveryCodes.map(recoveryHash))
    await tx.audit('operator.recovery-renewed', `operator:${ctx.operator!.id}`, { ip: ctx.ip })
  })
  return { recoveryCodes }
}

export async function listTokens(ctx: Ctx): Promise<ReplyOf<Contract['tokens']>> {
  const rows = await tokensOf(ctx.db, ctx.operator!.id)
  return {
    tokens: rows.map((row) => ({
      ...{ id: row.id, name: row.name, permissions: [...row.permissions], createdAt: row.created_at.toISOString(), expiresAt: row.expires_at.toISOString() },
      ...{ revokedAt: row.revoked_at?.toISOString() ?? null, lastUsedAt: row.last_used_at?.toISOString() ?? null },
    })),
  }
}

/** Of the operator's own permissions; what the operator loses later, the token loses too. */
export async function makeToken(ctx: Ctx, { name, permissions, days }: InputOf<Contract['makeToken']>): Promise<ReplyOf<Contract['makeToken']>> {
  requireProvenPerson(ctx)
  const { id: operatorId, permissions: own } = ctx.operator!
  if (!permissions.every((each) => own.has(each))) fail('OPERATOR_GRANT')
  const now = ctx.clock.now()
  const [token, id, expiresAt] = [newToken('opt'), newId('opt', now.getTime()), new Date(now.getTime() + days * 86_400_000)]
  await transact(ctx.db, ctx.actor, async (tx) => {
    await insertToken(tx, {
      id,
      hash: hashOf(token),
      operator_id: operatorId,
      name,
      permissions: [...new Set(permissions)],
      created_at: now,
      expires_at: expiresAt,
    })
    await tx.audit('operator.token-made', `operator:${operatorId}`, { tokenId: id, name, permissions, days, ip: ctx.ip })
  })
  return { id, token, expiresAt: expiresAt.toISOString() }
}

export async function endToken(ctx: Ctx, { tokenId }: InputOf<Contract['revokeToken']>): Promise<{}> {
  requirePerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await revokeToken(tx, ctx.operator!.id, tokenId, ctx.clock.now()))) fail('NOT_FOUND')
    await tx.audit('operator.token-revoked', `operator:${ctx.operator!.id}`, { tokenId, ip: ctx.ip })
  })
  return {}
}

export async function readOperators(ctx: Ctx): Promise<ReplyOf<Contract['operators']>> {
  return {
    operators: (await listOperators(ctx.db)).map(({ id, name, mail, roles, status, created_at }) => ({
      ...{ id, name, mail, roles: [...roles], status, createdAt: created_at.toISOString() },
      permissions: [...permissionsOf(roles)],
    })),
  }
}
