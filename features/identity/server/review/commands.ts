import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { resolveUserId, findContact } from '#features/account/server/door.ts'
import { selectPerson, lockPerson, updatePerson } from '../data.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { approvedMail, rejectedMail } from '../mails.ts'

/**
 * Decides a review. Approval restores the state that the account would have without the review; rejection ends the opening. A later decision
 * replaces it.
 */
export async function decideIdentityReview(
  deps: Deps,
  actor: Actor,
  { userId, decision, why }: { readonly userId: string; readonly decision: 'approve' | 'reject'; readonly why: string },
): Promise<void> {
  await transact(deps.db, actor, async (tx) => {
    const row = await lockPerson(tx, userId)
    if (!row?.sealedPerson || (row.status !== 'review' && row.reason !== 'operator')) fail('NOT_FOUND')
    const now = deps.clock.now()
    const passed = decision === 'approve' && row.facePassedAt !== null
    if (decision === 'reject') await updatePerson(tx, userId, { now, values: { status: 'rejected', reason: 'operator' } })
    else await updatePerson(tx, userId, { now, values: { status: passed ? 'passed' : 'saved', reason: null } })
    await tx.audit(`identity.review-${decision}`, `user:${userId}`, { was: row.reason, why })
    if (passed) await tx.emit('identity.passed', { userId })
    const contact = await findContact(tx, userId)
    if (!contact?.email) return
    const template = decision === 'approve' ? approvedMail : rejectedMail
    const values = { time: toShanghaiTime(now), link: `${deps.siteUrl()}/open-account` }
    await sendMail(deps, tx, { to: contact.email, lang: contact.lang, template, values, dedupe: `identity.review:${userId}:${decision}:${now.getTime()}` })
  })
}

const input = z.object({ user: z.string().min(1).max(254) })
type Named = z.output<typeof input>
/** User by mail, mobile or id; stored as the id. */
const resolve = async ({ db }: Deps, { user }: Named) => ({ user: await resolveUserId(db, user) })
const subject = async (_deps: Deps, { user }: Named) => `user:${user}`
const weigh = async (_deps: Deps, { user }: Named) => ({ userId: user })
/** Review status for the preview; never the identity itself. */
const look = async ({ tx }: CommandExecution, { user }: Named) => {
  const row = await selectPerson(tx, user)
  return { status: row?.status ?? null, reason: row?.reason ?? null, paper: row?.paper ?? null, facePassed: row?.facePassedAt != null }
}
const common = { permission: 'identity.decide', input, resolve, subject, weigh, look } as const
const decide =
  (decision: 'approve' | 'reject') =>
  async ({ deps, by, reason }: CommandExecution, { user }: Named) => {
    await decideIdentityReview(deps, by, { userId: user, decision, why: reason })
    return {}
  }

/** Commands for users in review: on the sanctions list, or with papers of another account. */
export const identityCommands = [
  defineCommand({
    ...common,
    name: 'identity.approve',
    summary: 'Approves a user whom the rules sent to review',
    run: decide('approve'),
  }),
  defineCommand({
    ...common,
    name: 'identity.reject',
    summary: 'Rejects a user, who cannot get a card; undone by approving',
    run: decide('reject'),
    undo: ({ user }) => ({ name: 'identity.approve', input: { user } }),
  }),
] as const
