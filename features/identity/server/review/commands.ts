import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { resolveUserId } from '#features/account/server/door.ts'
import { selectPerson } from '../data.ts'
import { decideIdentityReview } from './decide-review.ts'

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>
/** User by mail, mobile or id; stored as the id. */
const resolve = async ({ db }: Deps, { user }: Named) => ({ user: await resolveUserId(db, user) })
const subject = async (_deps: Deps, { user }: Named) => `user:${user}`
const weigh = async (_deps: Deps, { user }: Named) => ({ userId: user })
/** Review status for the preview; never the identity itself. */
const look = async ({ tx }: CommandExecution, { user }: Named) => {
  const row = await selectPerson(tx, user)
  return { status: row?.status ?? null, reason: row?.reason ?? null, paper: row?.paper ?? null, facePassed: row?.face_passed_at != null }
}
const common = { permission: 'identity.decide', input, resolve, subject, weigh, look } as const
const decide =
  (decision: 'approve' | 'reject') =>
  async ({ deps, by, reason }: CommandExecution, { user }: Named) => {
    await decideIdentityReview(deps, by, user, decision, reason)
    return {}
  }

/** Commands for users in review: on the sanctions list, or with papers of another account. */
export const identityCommands = [
  defineCommand({
    ...common,
    name: 'identity.approve',
    summary: 'Approves a user whom the rules sent to review',
    run: decide('approve'),
  }),
  defineCommand({
    ...common,
    name: 'identity.reject',
    summary: 'Rejects a user, who cannot get a card; undone by approving',
    run: decide('reject'),
    undo: ({ user }) => ({ name: 'identity.approve', input: { user } }),
  }),
] as const
