import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { lockInviter } from '../data.ts'
import { insertReview, moveReward } from '../rewards/data.ts'
import { reviewDays } from '../settings.ts'
import { selectPendingRewards } from './data.ts'
import { addWorkingDays } from '../rewards/hold-for-review.ts'

/** An operator stops all that an inviter has not got yet; it waits for `decideRewardReview`. False when a review is open already. */
export async function holdRewards(deps: Deps, by: Actor, inviterId: string, reason: string): Promise<boolean> {
  return transact(deps.db, by, async (tx) => {
    await lockInviter(tx, inviterId)
    const due = addWorkingDays(deps.clock.now(), await deps.settings.get(reviewDays))
    if (!(await insertReview(tx, inviterId, due, `${by.kind}:${by.id}`))) return false
    for (const reward of await selectPendingRewards(tx, inviterId)) await moveReward(tx, reward, 'held', { reason: 'review' })
    await tx.audit('invitation.review_hold', `user:${inviterId}`, { reason })
    return true
  })
}
