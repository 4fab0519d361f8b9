import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Deps } from '#platform/server/feature.ts'
import { selectAccountStatus } from './data.ts'
import { deleteFactors, hasFactor } from '../factors/data.ts'
import { findPayPassword, resetPayStreak } from '../pay-password/data.ts'
import { endSessionsExcept } from '../sessions/data.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'
import { resolveUserId } from './resolve-user-id.ts'
import { FREEZE_SCOPES } from './scopes.ts'
import type { FreezeScope } from './scopes.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type UserInput = z.output<typeof input>
/** Mail, mobile or id of the user; stored as the id. */
const resolve = async ({ db }: Deps, { user }: UserInput) => ({ user: await resolveUserId(db, user) })
const subject = async (_deps: Deps, { user }: UserInput) => `user:${user}`
const look = async ({ tx }: CommandExecution, { user }: UserInput) => {
  const { status = null, sessions = 0 } = (await selectAccountStatus(tx, user)) ?? {}
  return { status, sessions }
}
const weigh = async (_deps: Deps, { user }: UserInput) => ({ userId: user })
const userCommand = { permission: 'customers.freeze', input, resolve, subject, weigh } as const
const factors = {
  ...userCommand,
  look: async ({ tx }: CommandExecution, { user }: UserInput) => ({
    factor: await hasFactor(tx, user),
    sessions: (await selectAccountStatus(tx, user))?.sessions ?? 0,
  }),
  loose: ['sessions'],
} as const
const scopes = z.array(z.enum(FREEZE_SCOPES)).max(FREEZE_SCOPES.length)
type ScopedInput = UserInput & { readonly scopes?: readonly FreezeScope[] | undefined }
const freezing = {
  permission: 'customers.freeze',
  resolve: async <I extends ScopedInput>({ db }: Deps, sent: I) => ({ ...sent, user: await resolveUserId(db, sent.user) }),
  ...({ subject, weigh, loose: ['sessions'], bulk: true } as const),
  look: async ({ tx }: CommandExecution, { user }: UserInput): Promise<CommandFacts> => ({
    status: null,
    sessions: 0,
    moneyOutFrozen: null,
    callsFrozen: null,
    ...(await selectAccountStatus(tx, user)),
  }),
} as const
const listFrozenScopes = (facts: CommandFacts): FreezeScope[] => [
  ...(facts['status'] === 'frozen' ? (['all'] as const) : []),
  ...(facts['moneyOutFrozen'] === true ? (['money_out'] as const) : []),
  ...(facts['callsFrozen'] === true ? (['calls'] as const) : []),
]

/** `sessions` is loose: a sign-in between preview and run must not block the command. */
const common = { ...userCommand, look, loose: ['sessions'], bulk: true } as const

export const freezeCommands = [
  defineCommand({
    ...freezing,
    name: 'account.freeze',
    summary: 'Freezes a customer (sessions end, keys answer 401 within a second), or only their payouts or their API calls; the money stays',
    input: input.extend({ scopes: scopes.min(1).default(['all']) }),
    run: async ({ deps, by, reason }, { user, scopes: asked }) => {
      await freezeAccount(deps, by, { userId: user, reason, scopes: asked })
      return {}
    },
    undo: ({ user, scopes: asked }, before) => ({
      name: 'account.thaw',
      input: { user, scopes: asked.filter((scope) => !listFrozenScopes(before).includes(scope)) },
    }),
  }),
  defineCommand({
    ...freezing,
    name: 'account.thaw',
    summary: 'Ends the freezes of a customer, or those that are named',
    input: input.extend({ scopes: scopes.min(1).optional() }),
    run: async ({ deps, by, reason }, { user, scopes: asked }) => {
      await thawAccount(deps, by, { userId: user, reason, scopes: asked })
      return {}
    },
    undo: ({ user, scopes: asked }, before) => ({
      name: 'account.freeze',
      input: { user, scopes: listFrozenScopes(before).filter((scope) => asked?.includes(scope) ?? true) },
    }),
  }),
  defineCommand({
    ...common,
    name: 'account.end-sessions',
    summary: 'Ends all sessions of a customer: they must sign in again',
    run: async ({ tx, reason }, { user }) => {
      const ended = await endSessionsExcept(tx, user, '')
      await tx.audit('account.sessions-ended', `user:${user}`, { ended, reason })
      return { ended }
    },
  }),
  defineCommand({
    ...factors,
    name: 'account.reset-factors',
    summary: 'Takes passkeys, authenticator and recovery codes of a customer away who has lost them; sessions end',
    run: async ({ tx, reason }, { user }) => {
      const dropped = await deleteFactors(tx, user)
      if (!dropped) fail('NOT_FOUND')
      const ended = await endSessionsExcept(tx, user, '')
      await tx.audit('account.factors-reset', `user:${user}`, { dropped, ended, reason })
      return { dropped, ended }
    },
  }),
  defineCommand({
    ...userCommand,
    name: 'account.reset-pay-tries',
    summary: 'Lets a customer try the payment password again after too many wrong tries',
    look: async ({ tx }, { user }) => {
      const row = await findPayPassword(tx, user)
      return { tries: row?.tries ?? null, streak: row?.streak ?? null }
    },
    run: async ({ tx, reason }, { user }) => {
      if (!(await resetPayStreak(tx, user))) fail('NOT_FOUND')
      await tx.audit('account.pay-tries-reset', `user:${user}`, { reason })
      return {}
    },
  }),
] as const
