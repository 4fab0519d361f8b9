import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { lockInviter } from '../data.ts'
import { releaseBudget } from '../rewards/book.ts'
import { moveReward } from '../rewards/data.ts'
import { closeReview, selectHeldRewards } from './data.ts'

/**
 * An operator's decision on all held rewards of an inviter: release lets their waiting period run, refuse ends them. Returns false if no
 * review is open, or if the inviter would decide on their own rewards.
 */
export async function decideRewardReview(
  deps: Deps,
  by: Actor,
  { inviterId, decision, reason }: { readonly inviterId: string; readonly decision: 'release' | 'refuse'; readonly reason: string },
): Promise<boolean> {
  if (by.id === inviterId) return false
  return transact(deps.db, by, async (tx) => {
    await lockInviter(tx, inviterId)
    if (!(await closeReview(tx, inviterId, { decision, reason }))) return false
    for (const reward of await selectHeldRewards(tx, inviterId)) {
      const moved = await moveReward(tx, reward, {
        to: decision === 'release' ? 'pending' : 'refused',
        more: { reason: decision === 'release' ? '' : 'operator' },
      })
      if (moved && decision === 'refuse') await releaseBudget(tx, moved)
    }
    await tx.audit(`invitation.review_${decision}`, `user:${inviterId}`, { reason })
    return true
  })
}
