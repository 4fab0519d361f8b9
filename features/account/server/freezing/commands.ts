import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { standingOf } from './data.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'
import { userIdOf } from './name-user.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>
/** By mail, mobile or id; kept as the id. */
const resolve = async ({ db }: Deps, { user }: Named) => ({ user: await userIdOf(db, user) })
const subject = async (_deps: Deps, { user }: Named) => `user:${user}`
const look = async ({ tx }: Act, { user }: Named) => ({ status: null, sessions: 0, ...(await standingOf(tx, user)) })
const weigh = async (_deps: Deps, { user }: Named) => ({ userId: user })
/** Somebody who signs in meanwhile must not hold up a freeze. */
const common = { permission: 'customers.freeze', input, resolve, subject, look, weigh, loose: ['sessions'], bulk: true } as const

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
] as const
