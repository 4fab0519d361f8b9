import { randomBytes } from 'node:crypto'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { createTestPayments } from '#features/payments/server/builders.ts'
import { storeMarks } from '#features/risk/server/door.ts'
import { ensureCodes } from './codes/own-code.ts'
import { insertRelation } from './data.ts'
import { earnReward } from './rewards/book.ts'
import { insertReward, endWaitingPeriods } from './rewards/data.ts'
import { reconcileInvitee } from './rewards/reconcile-invitee.ts'
import { releaseDueRewards } from './rewards/release-due.ts'

export { endWaitingPeriods } from './rewards/data.ts'

/** An invitee who paid 20 dollars; no event is delivered yet. `owner` may write every table. */
export async function aPayingInvitee(owner: Db, inviterId: string, inviteeId = createId('usr')): Promise<{ inviteeId: string; orderNo: string }> {
  await aRelation(owner, inviterId, inviteeId)
  await recordPayer(owner, inviteeId)
  return { inviteeId, orderNo: await createTestPayments(owner).pay(inviteeId, 20n * NANO_PER_USD) }
}

/** Records a unique payer for the user, as reported by a channel. */
export async function recordPayer(db: Sql, userId: string): Promise<void> {
  await storeMarks(db, userId, { marks: [{ kind: 'payer', hashes: [{ digest: randomBytes(32), keyId: Buffer.of(0) }] }], now: new Date() })
}

/** Adds a relation: an invitee who used the inviter's code. */
export async function aRelation(db: Db, inviterId: string, inviteeId: string): Promise<void> {
  const { made: code } = await ensureCodes(db, inviterId)
  await transact(db, SYSTEM, (tx) => insertRelation(tx, { inviteeId, inviterId, code, way: 'signup', ruleVersion: 1 }))
}

/** An available reward of a user, for an invitee who paid 20 dollars. `owner` may write every table. */
export async function aReward(deps: Deps, owner: Db, inviterId: string): Promise<void> {
  const { inviteeId } = await aPayingInvitee(owner, inviterId)
  await reconcileInvitee(deps, inviteeId)
  await endWaitingPeriods(owner)
  await releaseDueRewards(deps)
}

/** An available reward of any size, without a payment behind it. `owner` may write every table. */
export async function anEarnedReward(owner: Db, inviterId: string, amount: Nano): Promise<void> {
  const inviteeId = createId('usr')
  await aRelation(owner, inviterId, inviteeId)
  await transact(owner, SYSTEM, async (tx) => {
    const terms = { kind: 'direct', orderNo: createId('ord'), base: amount, ruleVersion: 1, rate: '100', state: 'pending', reason: '', holdDays: 0 } as const
    const reward = await insertReward(tx, { ...terms, inviterId, inviteeId, amount })
    await tx.audit('invitation.due', `reward:${reward!.id}`)
    await earnReward(tx, reward!, 0)
  })
}
