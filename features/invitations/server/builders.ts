import { randomBytes } from 'node:crypto'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { newId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cashOn } from '#features/payments/server/builders.ts'
import { keepMarks } from '#features/risk/server/door.ts'
import { codesFor } from './codes/own-code.ts'
import { insertRelation } from './data.ts'
import { earn } from './rewards/book.ts'
import { insertReward, ripenRewards } from './rewards/data.ts'
import { reconcileInvitee } from './rewards/reconcile-invitee.ts'
import { releaseDue } from './rewards/release-due.ts'

export { ripenRewards } from './rewards/data.ts'

/** An invitee who paid 20 dollars; no event is delivered yet. `owner` may write every table. */
export async function bringPaying(owner: Db, inviterId: string, inviteeId = newId('usr')): Promise<{ inviteeId: string; orderNo: string }> {
  await bring(owner, inviterId, inviteeId)
  await nameAPayer(owner, inviteeId)
  return { inviteeId, orderNo: await cashOn(owner).pay(inviteeId, 20n * NANO_PER_USD) }
}

/** Records a unique payer for the user, as reported by a channel. */
export async function nameAPayer(db: Sql, userId: string): Promise<void> {
  await keepMarks(db, userId, [{ kind: 'payer', hashes: [{ digest: randomBytes(32), keyId: Buffer.of(0) }] }], new Date())
}

/** Adds a relation: an invitee who used the inviter's code. */
export async function bring(db: Db, inviterId: string, inviteeId: string): Promise<void> {
  const { made: code } = await codesFor(db, inviterId)
  await transact(db, SYSTEM, (tx) => insertRelation(tx, { inviteeId, inviterId, code, way: 'signup', ruleVersion: 1 }))
}

/** An available reward of a user, for an invitee who paid 20 dollars. `owner` may write every table. */
export async function aReward(deps: Deps, owner: Db, inviterId: string): Promise<void> {
  const { inviteeId } = await bringPaying(owner, inviterId)
  await reconcileInvitee(deps, inviteeId)
  await ripenRewards(owner)
  await releaseDue(deps)
}

/** An available reward of any size, without a payment behind it. `owner` may write every table. */
export async function anEarnedReward(owner: Db, inviterId: string, amount: Nano): Promise<void> {
  const inviteeId = newId('usr')
  await bring(owner, inviterId, inviteeId)
  await transact(owner, SYSTEM, async (tx) => {
    const terms = { kind: 'direct', orderNo: newId('ord'), base: amount, ruleVersion: 1, rate: '100', state: 'pending', reason: '', holdDays: 0 } as const
    const reward = await insertReward(tx, { ...terms, inviterId, inviteeId, amount })
    await tx.audit('invitation.due', `reward:${reward!.id}`)
    await earn(tx, reward!, 0)
  })
}
