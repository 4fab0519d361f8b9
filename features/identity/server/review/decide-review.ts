import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { lockPerson, updatePerson } from '../data.ts'
import { approvedMail, rejectedMail } from '../mails.ts'

/**
 * Decides a review. Approval restores the state that the account would have without the review; rejection ends the opening. A later decision
 * replaces it.
 */
export async function decideIdentityReview(deps: Deps, actor: Actor, userId: string, decision: 'approve' | 'reject', why: string): Promise<void> {
  await transact(deps.db, actor, async (tx) => {
    const row = await lockPerson(tx, userId)
    if (!row?.sealed_person || (row.status !== 'review' && row.reason !== 'operator')) fail('NOT_FOUND')
    const now = deps.clock.now()
    const passed = decision === 'approve' && row.face_passed_at !== null
    if (decision === 'reject') await updatePerson(tx, userId, now, { status: 'rejected', reason: 'operator' })
    else await updatePerson(tx, userId, now, { status: passed ? 'passed' : 'saved', reason: null })
    await tx.audit(`identity.review-${decision}`, `user:${userId}`, { was: row.reason, why })
    if (passed) await tx.emit('identity.passed', { userId })
    const contact = await findContact(tx, userId)
    if (!contact?.email) return
    const template = decision === 'approve' ? approvedMail : rejectedMail
    const values = { time: toShanghaiTime(now), link: `${deps.siteUrl()}/open-account` }
    await sendMail(deps, tx, { to: contact.email, lang: contact.lang, template, values, dedupe: `identity.review:${userId}:${decision}:${now.getTime()}` })
  })
}
