import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { selectInactiveUsers } from '#features/account/server/door.ts'
import { lockRelation } from '../data.ts'
import { selectDueRewards, selectOpenReview, selectRewardsByInvitee } from './data.ts'
import { holdForReview } from './hold-for-review.ts'
import { assessReward } from './assess.ts'
import { earnReward } from './book.ts'
import { reconcileInvitee, refuseReward } from './reconcile-invitee.ts'

const BATCH = 50

/** Job: releases rewards after their waiting period, if the payment still stands and no signal holds them. */
export async function releaseDueRewards(deps: Deps): Promise<void> {
  for (const { id, inviteeId } of await selectDueRewards(deps.db, BATCH)) {
    try {
      await reconcileInvitee(deps, inviteeId)
      await releaseReward(deps, id, inviteeId)
    } catch (error) {
      deps.log.error({ err: error, rewardId: String(id) }, 'a reward could not be released')
    }
  }
}

async function releaseReward(deps: Deps, id: bigint, inviteeId: string): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const relation = await lockRelation(tx, inviteeId)
    const reward = (await selectRewardsByInvitee(tx, inviteeId)).find((one) => one.id === id)
    if (reward?.state !== 'pending' || !relation) return
    // A frozen or closed account earns nothing.
    if ((await selectInactiveUsers(tx, [reward.inviterId])).size) return
    await tx.audit('invitation.due', `reward:${id}`)
    const { score, verdict } = await assessReward(deps, tx, { reward, relation, isLate: true })
    if (verdict === 'refuse') await refuseReward(tx, reward, score)
    else if (verdict === 'hold' || (await selectOpenReview(tx, reward.inviterId))) await holdForReview(deps, tx, { reward, score })
    else await earnReward(tx, reward, score)
    crashPoint('invitations.due-before-commit')
  })
}
