import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { resolveUserId } from '#features/account/server/door.ts'
import { selectOpenReviews, selectRewardTotals, selectPendingRewards } from './data.ts'
import { selectOpenReview, insertReview, moveReward } from '../rewards/data.ts'
import { decideRewardReview } from './decide-review.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { lockInviter } from '../data.ts'
import { reviewDays } from '../settings.ts'
import { addWorkingDays } from '../rewards/hold-for-review.ts'

/** An operator stops all that an inviter has not got yet; it waits for `decideRewardReview`. False when a review is open already. */
async function holdRewards(deps: Deps, by: Actor, { inviterId, reason }: { readonly inviterId: string; readonly reason: string }): Promise<boolean> {
  return transact(deps.db, by, async (tx) => {
    await lockInviter(tx, inviterId)
    const due = addWorkingDays(deps.clock.now(), await deps.settings.get(reviewDays))
    if (!(await insertReview(tx, inviterId, { dueAt: due, openedBy: `${by.kind}:${by.id}` }))) return false
    for (const reward of await selectPendingRewards(tx, inviterId)) await moveReward(tx, reward, { to: 'held', more: { reason: 'review' } })
    await tx.audit('invitation.review_hold', `user:${inviterId}`, { reason })
    return true
  })
}

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>
/** User by mail, mobile or id; stored as the id. */
const resolve = async ({ db }: Deps, { user }: Named) => ({ user: await resolveUserId(db, user) })
const subject = async (_deps: Deps, { user }: Named) => `user:${user}`
const weigh = async ({ db }: Deps, { user }: Named) => ({ userId: user, amount: (await selectOpenReviews(db, user))[0]?.amount ?? 0n })

async function look({ tx }: CommandExecution, { user }: Named) {
  const row = await selectRewardTotals(tx, user)
  return {
    underReview: (await selectOpenReview(tx, user)) !== undefined,
    ...{
      held: row.heldCount,
      heldAmount: formatUsd(row.heldNano),
      pending: row.pendingCount,
      pendingAmount: formatUsd(row.pendingNano),
      refused: row.refusedCount,
    },
  }
}
/** The pending figures are loose: new rewards between preview and run must not block a decision. */
const common = { permission: 'rewards.decide', input, resolve, subject, weigh, look, loose: ['pending', 'pendingAmount'] } as const

const decide =
  (decision: 'release' | 'refuse') =>
  async ({ deps, by, reason }: CommandExecution, { user }: Named) => {
    if (!(await decideRewardReview(deps, by, { inviterId: user, decision, reason }))) fail('NOT_FOUND')
    return {}
  }

export const reviewCommands = [
  defineCommand({
    ...common,
    money: 'own',
    name: 'reward.hold',
    summary: 'Stops the rewards that an inviter has not got yet, until they are released or refused',
    run: async ({ deps, by, reason }, { user }) => {
      if (!(await holdRewards(deps, by, { inviterId: user, reason }))) fail('NOT_FOUND')
      return {}
    },
    undo: ({ user }) => ({ name: 'reward.release', input: { user } }),
  }),
  defineCommand({ ...common, money: 'counted', name: 'reward.release', summary: 'Lets an inviter’s held rewards run their time', run: decide('release') }),
  defineCommand({
    ...common,
    money: 'own',
    name: 'reward.refuse',
    summary: 'Ends an inviter’s held rewards; their rows and signals stay',
    run: decide('refuse'),
  }),
] as const
