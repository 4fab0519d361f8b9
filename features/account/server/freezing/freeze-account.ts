import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { dropSessions, freezeUser, thawUser } from './data.ts'

/**
 * Freezes a user: sessions are ended, signing in is refused, API keys answer 401 in every process within a second; calls under way are
 * settled, and the money stays. `reason` is for operators. News: `account.frozen { userId }`. Throws NOT_FOUND for who is not active.
 */
export async function freezeAccount({ db, clock }: Pick<Deps, 'db' | 'clock'>, by: Actor, userId: string, reason: string): Promise<void> {
  await transact(db, by, async (tx) => {
    if (!(await freezeUser(tx, userId, { at: clock.now(), reason, by: `${by.kind}:${by.id}` }))) fail('NOT_FOUND')
    const ended = await dropSessions(tx, userId)
    await tx.audit('account.frozen', `user:${userId}`, { reason, ended })
    await tx.emit('account.frozen', { userId })
  })
}

/** Lets a frozen user in again: the keys work as before, sessions are begun anew. News: `account.thawed { userId }`. */
export async function thawAccount({ db }: Pick<Deps, 'db'>, by: Actor, userId: string, reason: string): Promise<void> {
  await transact(db, by, async (tx) => {
    if (!(await thawUser(tx, userId))) fail('NOT_FOUND')
    // One may have been opened by a sign-in that overlapped with the freeze.
    const ended = await dropSessions(tx, userId)
    await tx.audit('account.thawed', `user:${userId}`, { reason, ended })
    await tx.emit('account.thawed', { userId })
  })
}
