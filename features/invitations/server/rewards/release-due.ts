import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { inactiveAmong } from '#features/account/server/door.ts'
import { lockRelation } from '../data.ts'
import { dueRewards, openReview, rewardsFrom } from './data.ts'
import { holdForReview } from './hold-for-review.ts'
import { assess } from './assess.ts'
import { earn } from './book.ts'
import { reconcileInvitee, refuse } from './reconcile-invitee.ts'

const BATCH = 50

/** Job: releases rewards after their waiting period, if the payment still stands and no signal holds them. */
export async function releaseDue(deps: Deps): Promise<void> {
  for (const { id, invitee_id: inviteeId } of await dueRewards(deps.db, BATCH)) {
    try {
      await reconcileInvitee(deps, inviteeId)
      await releaseOne(deps, id, inviteeId)
    } catch (error) {
      deps.log.error({ err: error, rewardId: String(id) }, 'a reward could not be released')
    }
  }
}

async function releaseOne(deps: Deps, id: bigint, inviteeId: string): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const relation = await lockRelation(tx, inviteeId)
    const reward = (await rewardsFrom(tx, inviteeId)).find((one) => one.id === id)
    if (reward?.state !== 'pending' || !relation) return
    // A frozen or closed account earns nothing.
    if ((await inactiveAmong(tx, [reward.inviter_id])).size) return
    await tx.audit('invitation.due', `reward:${id}`)
    const { score, verdict } = await assess(deps, tx, reward, relation, true)
    if (verdict === 'refuse') await refuse(tx, reward, score)
    else if (verdict === 'hold' || (await openReview(tx, reward.inviter_id))) await holdForReview(deps, tx, reward, score)
    else await earn(tx, reward, score)
    crashPoint('invitations.due-before-commit')
  })
}
