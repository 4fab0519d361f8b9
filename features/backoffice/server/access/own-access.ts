import type { Ctx } from '#platform/server/feature.ts'
import { createRecoveryCodes, hashRecoveryCode } from '#platform/server/proof/one-time.ts'
import { transact } from '#platform/server/database/transact.ts'
import { isOperatorProven } from '#platform/server/operator-proof.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { pick } from '#platform/shared/pick.ts'
import type { accessContract } from '../../contract.console.ts'
import { resolvePermissions } from '../../permissions.ts'
import { findOperator, listOperators, replaceRecoveryCodes } from './data.ts'
import { deleteOperatorSession, insertToken, revokeToken, listSessionsByOperator, listTokensByOperator } from './data-sessions.ts'
import { requirePerson, requireSteppedUpPerson } from './require-person.ts'
import { hashOperatorSecret, createOperatorSecret } from './secrets.ts'
import { computeLiveSince } from './sessions.ts'

type Contract = typeof accessContract

/** Sessions, tokens and codes that operators manage for themselves without approval. */
export async function readMe(ctx: Ctx): Promise<ReplyOf<Contract['me']>> {
  const operator = (await findOperator(ctx.db, ctx.operator!.id)) ?? fail('SESSION_EXPIRED')
  const { id, name, mail, roles } = operator
  return { id, name, mail, roles: [...roles], permissions: [...ctx.operator!.permissions], by: ctx.operator!.by, isProven: isOperatorProven(ctx) }
}

export async function signOut(ctx: Ctx): Promise<{}> {
  return endOwnSession(ctx, { sessionId: ctx.sessionId })
}

export async function listOperatorSessions(ctx: Ctx): Promise<ReplyOf<Contract['sessions']>> {
  const { seen, made } = computeLiveSince(ctx.clock.now())
  const rows = await listSessionsByOperator(ctx.db, ctx.operator!.id, { seenSince: seen, madeSince: made })
  return {
    sessions: rows.map((row) => ({
      ...{ ...pick(row, 'id', 'method', 'ip', 'userAgent'), current: row.id === ctx.sessionId },
      ...{ createdAt: row.createdAt.toISOString(), lastSeenAt: row.lastSeenAt.toISOString() },
    })),
  }
}

export async function endOwnSession(ctx: Ctx, { sessionId }: InputOf<Contract['endSession']>): Promise<{}> {
  requirePerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await deleteOperatorSession(tx, ctx.operator!.id, sessionId))) fail('NOT_FOUND')
    await tx.audit('operator.session-ended', `operator:${ctx.operator!.id}`, { sessionId, ip: ctx.ip })
  })
  return {}
}

export async function renewOperatorRecovery(ctx: Ctx): Promise<ReplyOf<Contract['newRecovery']>> {
  requireSteppedUpPerson(ctx)
  const recoveryCodes = createRecoveryCodes()
  await transact(ctx.db, ctx.actor, async (tx) => {
    await replaceRecoveryCodes(tx, ctx.operator!.id, recoveryCodes.map(hashRecoveryCode))
    await tx.audit('operator.recovery-renewed', `operator:${ctx.operator!.id}`, { ip: ctx.ip })
  })
  return { recoveryCodes }
}

export async function listOperatorTokens(ctx: Ctx): Promise<ReplyOf<Contract['tokens']>> {
  const rows = await listTokensByOperator(ctx.db, ctx.operator!.id)
  return {
    tokens: rows.map((row) => ({
      ...{ id: row.id, name: row.name, permissions: [...row.permissions], createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString() },
      ...{ revokedAt: row.revokedAt?.toISOString() ?? null, lastUsedAt: row.lastUsedAt?.toISOString() ?? null },
    })),
  }
}

/** Creates a token with a subset of the operator's permissions; it also loses those that the operator loses later. */
export async function createOperatorToken(ctx: Ctx, { name, permissions, days }: InputOf<Contract['makeToken']>): Promise<ReplyOf<Contract['makeToken']>> {
  requireSteppedUpPerson(ctx)
  const { id: operatorId, permissions: own } = ctx.operator!
  if (!permissions.every((each) => own.has(each))) fail('OPERATOR_GRANT')
  const now = ctx.clock.now()
  const [token, id, expiresAt] = [createOperatorSecret('opt'), createId('opt', now.getTime()), new Date(now.getTime() + days * 86_400_000)]
  await transact(ctx.db, ctx.actor, async (tx) => {
    await insertToken(tx, {
      id,
      hash: hashOperatorSecret(token),
      operatorId,
      name,
      permissions: [...new Set(permissions)],
      createdAt: now,
      expiresAt,
    })
    await tx.audit('operator.token-made', `operator:${operatorId}`, { tokenId: id, name, permissions, days, ip: ctx.ip })
  })
  return { id, token, expiresAt: expiresAt.toISOString() }
}

export async function revokeOperatorToken(ctx: Ctx, { tokenId }: InputOf<Contract['revokeToken']>): Promise<{}> {
  requirePerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await revokeToken(tx, ctx.operator!.id, { id: tokenId, now: ctx.clock.now() }))) fail('NOT_FOUND')
    await tx.audit('operator.token-revoked', `operator:${ctx.operator!.id}`, { tokenId, ip: ctx.ip })
  })
  return {}
}

export async function readOperators(ctx: Ctx): Promise<ReplyOf<Contract['operators']>> {
  return {
    operators: (await listOperators(ctx.db)).map(({ id, name, mail, roles, status, createdAt }) => ({
      ...{ id, name, mail, roles: [...roles], status, createdAt: createdAt.toISOString() },
      permissions: [...resolvePermissions(roles)],
    })),
  }
}
