import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockPerson, setPerson } from '../data.ts'

/**
 * An operator has looked at somebody whom the rules did not let pass. Approved, the account stands where it would have stood
 * without them; rejected, it ends there. Undone by deciding again.
 */
export async function decideReview(deps: Deps, actor: Actor, userId: string, decision: 'approve' | 'reject', why: string): Promise<void> {
  await transact(deps.db, actor, async (tx) => {
    const row = await lockPerson(tx, userId)
    if (!row?.sealed_person || (row.status !== 'review' && row.reason !== 'operator')) fail('NOT_FOUND')
    const now = deps.clock.now()
    const passed = decision === 'approve' && row.face_passed_at !== null
    if (decision === 'reject') await setPerson(tx, userId, now, { status: 'rejected', reason: 'operator' })
    else await setPerson(tx, userId, now, { status: passed ? 'passed' : 'saved', reason: null })
    await tx.audit(`identity.review-${decision}`, `user:${userId}`, { was: row.reason, why })
    if (passed) await tx.emit('identity.passed', { userId })
  })
}
