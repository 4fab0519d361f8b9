import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { newId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { cashOn } from '#features/payments/server/builders.ts'
import { codesFor } from './codes/own-code.ts'
import { insertRelation } from './data.ts'
import { ripenRewards } from './rewards/data.ts'
import { reconcileInvitee } from './rewards/reconcile-invitee.ts'
import { releaseDue } from './rewards/release-due.ts'

/** An available reward of a user, for somebody who was brought and paid 20 dollars. `owner` may write every table. */
export async function aReward(deps: Deps, owner: Sql, inviterId: string): Promise<void> {
  const inviteeId = newId('usr')
  const { made: code } = await codesFor(deps.db, inviterId)
  await transact(deps.db, SYSTEM, (tx) => insertRelation(tx, { inviteeId, inviterId, code, way: 'signup', ruleVersion: 1 }))
  await cashOn(owner).pay(inviteeId, 20n * NANO_PER_USD)
  await reconcileInvitee(deps, inviteeId)
  await ripenRewards(owner)
  await releaseDue(deps)
}
