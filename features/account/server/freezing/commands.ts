import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Deps } from '#platform/server/feature.ts'
import { standingOf } from './data.ts'
import { dropFactors, hasFactor } from '../factors/data.ts'
import { findPayPassword, forgetStreak } from '../pay-password/data.ts'
import { endSessionsBut } from '../sessions/data.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'
import { userIdOf } from './name-user.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>
/** By mail, mobile or id; kept as the id. */
const resolve = async ({ db }: Deps, { user }: Named) => ({ user: await userIdOf(db, user) })
const subject = async (_deps: Deps, { user }: Named) => `user:${user}`
const look = async ({ tx }: Act, { user }: Named) => ({ status: null, sessions: 0, ...(await standingOf(tx, user)) })
const weigh = async (_deps: Deps, { user }: Named) => ({ userId: user })
const named = { permission: 'customers.freeze', input, resolve, subject, weigh } as const
const factors = {
  ...named,
  look: async ({ tx }: Act, { user }: Named) => ({ factor: await hasFactor(tx, user), sessions: (await standingOf(tx, user))?.sessions ?? 0 }),
  loose: ['sessions'],
} as const
/** Somebody who signs in meanwhile must not hold up a freeze. */
const common = { ...named, look, loose: ['sessions'], bulk: true } as const

export const freezeCommands = [
  defineCommand({
    ...common,
    name: 'account.freeze',
    summary: 'Freezes a customer: sessions end, keys answer 401 within a second, the money stays',
    run: async ({ deps, by, reason }, { user }) => {
      await freezeAccount(deps, by, user, reason)
      return {}
    },
    undo: ({ user }) => ({ name: 'account.thaw', input: { user } }),
  }),
  defineCommand({
    ...common,
    name: 'account.thaw',
    summary: 'Lets a frozen customer in again',
    run: async ({ deps, by, reason }, { user }) => {
      await thawAccount(deps, by, user, reason)
      return {}
    },
    undo: ({ user }) => ({ name: 'account.freeze', input: { user } }),
  }),
  defineCommand({
    ...common,
    name: 'account.end-sessions',
    summary: 'Ends all sessions of a customer: they sign in anew',
    run: async ({ tx, reason }, { user }) => {
      const ended = await endSessionsBut(tx, user, '')
      await tx.audit('account.sessions-ended', `user:${user}`, { ended, reason })
      return { ended }
    },
  }),
  defineCommand({
    ...factors,
    name: 'account.reset-factors',
    summary: 'Takes passkeys, authenticator and recovery codes of a customer away who has lost them; sessions end',
    run: async ({ tx, reason }, { user }) => {
      const dropped = await dropFactors(tx, user)
      if (!dropped) fail('NOT_FOUND')
      const ended = await endSessionsBut(tx, user, '')
      await tx.audit('account.factors-reset', `user:${user}`, { dropped, ended, reason })
      return { dropped, ended }
    },
  }),
  defineCommand({
    ...named,
    name: 'account.reset-pay-tries',
    summary: 'Lets a customer try the payment password again after too many wrong tries',
    look: async ({ tx }, { user }) => {
      const row = await findPayPassword(tx, user)
      return { tries: row?.tries ?? null, streak: row?.streak ?? null }
    },
    run: async ({ tx, reason }, { user }) => {
      if (!(await forgetStreak(tx, user))) fail('NOT_FOUND')
      await tx.audit('account.pay-tries-reset', `user:${user}`, { reason })
      return {}
    },
  }),
] as const
