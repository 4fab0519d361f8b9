import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { clearCount, clearGroup, countGroup, readCurrentCount } from '#features/risk/server/door.ts'
import { resolveUserId } from '../freezing/resolve-user-id.ts'
import { ACCOUNT_BUCKET, PAIR_BUCKET } from '../passwords/login-limits.ts'
import { selectUserSubjects } from './data.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type LockedUserInput = z.output<typeof input>

/** Failures that lock the customer out: those of strangers, and those of each address that tried this account. */
async function countFailures({ tx, deps }: CommandExecution, { user }: LockedUserInput): Promise<CommandFacts> {
  const now = deps.clock.now()
  let failures = 0
  for (const subject of await selectUserSubjects(tx, user)) {
    failures += await readCurrentCount(tx, ACCOUNT_BUCKET, { subject, now })
    failures += await countGroup(tx, PAIR_BUCKET, { group: subject, now })
  }
  return { failures }
}

export const lockCommands = [
  defineCommand({
    name: 'account.unlock-login',
    summary: 'Lets a customer try the password again at once after too many wrong ones; an address that fails everywhere stays limited',
    permission: 'customers.freeze',
    input,
    resolve: async ({ db }: Deps, { user }: LockedUserInput) => ({ user: await resolveUserId(db, user) }),
    subject: async (_deps, { user }) => `user:${user}`,
    weigh: async (_deps, { user }) => ({ userId: user }),
    look: countFailures,
    // failed attempts may continue between preview and run
    loose: ['failures'],
    run: async ({ tx, reason }, { user }) => {
      for (const subject of await selectUserSubjects(tx, user)) {
        await clearCount(tx, ACCOUNT_BUCKET, subject)
        await clearGroup(tx, PAIR_BUCKET, subject)
      }
      await tx.audit('account.login-unlocked', `user:${user}`, { reason })
      return {}
    },
  }),
] as const
