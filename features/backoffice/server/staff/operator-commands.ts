import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { endViews } from '#features/account/server/door.ts'
import { resolvePermissions, OPERATOR_ROLE_NAMES } from '../../permissions.ts'
import { findOperator, findOperatorByMail, lockOperator, setRoles, setStatus } from '../access/data.ts'
import type { OperatorRow } from '../access/data.ts'
import { deleteOperatorSessions, revokeAllTokens } from '../access/data-sessions.ts'
import { inviteOperator } from '../access/invites.ts'

const roles = z
  .array(z.enum(OPERATOR_ROLE_NAMES))
  .min(1)
  .max(OPERATOR_ROLE_NAMES.length)
  .transform((list) => [...new Set(list)].sort())
const someone = { operatorId: z.string().min(1).max(80) }
const subject = async (deps: { db: Parameters<typeof findOperator>[0] }, { operatorId }: { operatorId: string }) =>
  `operator:${((await findOperator(deps.db, operatorId)) ?? fail('NOT_FOUND')).id}`

async function lookAtOperator({ tx }: CommandExecution, { operatorId }: { operatorId: string }) {
  const operator = await findOperator(tx, operatorId)
  return {
    status: operator?.status ?? null,
    roles: operator?.roles.join(', ') ?? null,
    permissions: operator ? [...resolvePermissions(operator.roles)].join(', ') : null,
  }
}

/** Operators can neither grant nor revoke permissions that they lack. */
async function requireOver({ tx, by }: CommandExecution, target: readonly string[]): Promise<void> {
  const own = resolvePermissions((await lockOperator(tx, by.id))?.roles ?? [])
  if (![...resolvePermissions(target)].every((each) => own.has(each))) fail('OPERATOR_GRANT')
}

/** Maps the database constraint that keeps the last owner to OPERATOR_LAST_OWNER. */
async function mapLastOwnerError<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: { constraint?: string }) => (error.constraint === 'backoffice_last_owner' ? fail('OPERATOR_LAST_OWNER') : Promise.reject(error)))
}

async function target(act: CommandExecution, operatorId: string): Promise<OperatorRow> {
  const operator = (await lockOperator(act.tx, operatorId)) ?? fail('NOT_FOUND')
  await requireOver(act, operator.roles)
  return operator
}

/** The result never contains the invitation; `POST /operator/invite/renew` and `npm run operators:invite` return it. */
const invite = defineCommand({
  name: 'operator.invite',
  summary: 'Invites an operator',
  permission: 'operators.manage',
  input: z.object({
    name: z.string().trim().min(1).max(80),
    mail: z
      .string()
      .max(254)
      .pipe(z.email())
      .transform((text) => text.toLowerCase()),
    roles,
  }),
  subject: async (_deps, { mail }) => `mail:${mail}`,
  look: async ({ tx }, { mail }) => {
    return { invited: (await findOperatorByMail(tx, mail)) !== undefined }
  },
  run: async (act, { name, mail, roles: granted }) => {
    await requireOver(act, granted)
    const { operatorId } = await inviteOperator(act.deps, act.tx, { name, mail, roles: granted, by: act.by.id })
    await act.tx.audit('operator.invited', `operator:${operatorId}`, { roles: granted, reason: act.reason })
    return { operatorId }
  },
})

const changeRoles = defineCommand({
  name: 'operator.roles',
  summary: 'Changes what an operator may do',
  permission: 'operators.manage',
  input: z.object({ ...someone, roles }),
  subject,
  look: lookAtOperator,
  run: async (act, { operatorId, roles: granted }) => {
    const before = await target(act, operatorId)
    await requireOver(act, granted)
    await mapLastOwnerError(() => act.tx.savepoint(() => setRoles(act.tx, operatorId, granted)))
    await act.tx.audit('operator.roles-changed', `operator:${operatorId}`, { before: before.roles, after: granted, reason: act.reason })
    return {}
  },
  undo: ({ operatorId }, before) => ({ name: 'operator.roles', input: { operatorId, roles: String(before['roles']).split(', ') } }),
})

const suspend = defineCommand({
  name: 'operator.suspend',
  summary: 'Suspends an operator at once: sessions and tokens end on every node',
  permission: 'operators.manage',
  input: z.object(someone),
  subject,
  look: lookAtOperator,
  run: async (act, { operatorId }) => {
    await target(act, operatorId)
    const moved = await mapLastOwnerError(() => act.tx.savepoint(() => setStatus(act.tx, operatorId, { from: 'active', to: 'suspended' })))
    if (!moved) fail('NOT_FOUND')
    const ended = await deleteOperatorSessions(act.tx, operatorId)
    await endViews(act.tx, operatorId)
    const revoked = await revokeAllTokens(act.tx, operatorId, act.deps.clock.now())
    await act.tx.audit('operator.suspended', `operator:${operatorId}`, { ended, revoked, reason: act.reason })
    return { ended, revoked }
  },
  undo: ({ operatorId }) => ({ name: 'operator.resume', input: { operatorId } }),
})

const resume = defineCommand({
  name: 'operator.resume',
  summary: 'Reinstates a suspended operator',
  permission: 'operators.manage',
  input: z.object(someone),
  subject,
  look: lookAtOperator,
  run: async (act, { operatorId }) => {
    await target(act, operatorId)
    if (!(await setStatus(act.tx, operatorId, { from: 'suspended', to: 'active' }))) fail('NOT_FOUND')
    await act.tx.audit('operator.resumed', `operator:${operatorId}`, { reason: act.reason })
    return {}
  },
  undo: ({ operatorId }) => ({ name: 'operator.suspend', input: { operatorId } }),
})

export const operatorCommands = [invite, changeRoles, suspend, resume] as const
