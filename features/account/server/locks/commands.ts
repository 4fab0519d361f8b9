import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act, Facts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { clearCount, countNow, ipSubject } from '#features/risk/server/door.ts'
import { userIdOf } from '../freezing/name-user.ts'
import { maskedTarget } from '../sessions/tokens.ts'
import { loginWindowSeconds } from '../settings.ts'
import { ACCOUNT_BUCKET, PAIR_BUCKET, pairSubject } from '../sign-in/login-limits.ts'
import { failedFrom, subjectsOfUser } from './data.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>

/** Every counter that may stand in the customer's way: strangers' failures, and those of each address that failed lately. */
async function countersOf({ tx, deps }: Act, userId: string, windowSeconds: number): Promise<{ readonly bucket: string; readonly subject: string }[]> {
  const identities = await subjectsOfUser(tx, userId)
  const masked = identities.flatMap((identity) => deps.secretKeys.map((key) => maskedTarget(key, identity)))
  const ips = await failedFrom(tx, masked, windowSeconds)
  return identities.flatMap(({ subject }) => [
    { bucket: ACCOUNT_BUCKET, subject },
    ...ips.map((ip) => ({ bucket: PAIR_BUCKET, subject: pairSubject(subject, ipSubject(ip)) })),
  ])
}

async function failuresOf(act: Act, { user }: Named): Promise<Facts> {
  const { gathered, tx, deps } = act
  let failures = 0
  for (const { bucket, subject } of await countersOf(act, user, gathered as number)) failures += await countNow(tx, bucket, subject, deps.clock.now())
  return { failures }
}

export const lockCommands = [
  defineCommand({
    name: 'account.unlock-login',
    summary: 'Lets a customer try the password again at once after too many wrong ones; an address that fails everywhere stays limited',
    permission: 'customers.freeze',
    input,
    resolve: async ({ db }: Deps, { user }: Named) => ({ user: await userIdOf(db, user) }),
    subject: async (_deps, { user }) => `user:${user}`,
    weigh: async (_deps, { user }) => ({ userId: user }),
    // read before the transaction, which must not wait for a second connection
    gather: ({ settings }) => settings.get(loginWindowSeconds),
    look: failuresOf,
    // somebody may go on guessing meanwhile
    loose: ['failures'],
    run: async (act, { user }) => {
      for (const { bucket, subject } of await countersOf(act, user, act.gathered as number)) await clearCount(act.tx, bucket, subject)
      await act.tx.audit('account.login-unlocked', `user:${user}`, { reason: act.reason })
      return {}
    },
  }),
] as const
